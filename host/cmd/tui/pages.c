#include "cmd/tui/pages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/by.h"
#include "analysis/waiting.h"
#include "cli/function_sum.h"
#include "cli/summary.h"
#include "query/ask/calls.h"
#include "query/ask/profile.h"
#include "query/ask/slowest.h"
#include "query/questions.h"
#include "tui/terminal.h"
#include "util/fit_name.h"
#include "util/short_name.h"
#include "util/units.h"

#define SLOWEST_COUNT 25u
#define CALLS_MAX 50000u /* the longest calls, listed on the page of calls */

/* A page being written. */
struct view {
	const struct pages *pages;
	struct model *model;
	const char *function;
	uint32_t id;
	struct table_sink sink;
	FILE *head;
	struct diag *diag;
};

/* Tables by CPU time say how much of all time they leave out. */
static void put_waiting(const struct view *view)
{
	const struct profile *profile = model_get_profile(view->model);
	double waiting = by_is_cpu(view->pages->by, profile) ? waiting_find_most(profile) : 0;

	if (waiting > 0)
		fprintf(view->head, "%.0f %% of all time is waiting: t shows wall-clock time", waiting);
}

/* Writes the name of the function to the head, short as in tables: its figures have the other half of the line. */
static void put_name(const struct view *view)
{
	char *short_name = make_short_name(view->function);
	const char *name = short_name ? short_name : view->function;
	size_t bytes = strlen(name), limit = (size_t)terminal_columns() / 2, columns;
	char *cut = malloc(FIT_BYTES(bytes) + 1);

	if (cut) {
		cut[fit_name(name, bytes, limit, !terminal_has_utf8(), cut, &columns)] = 0;
		summary_print_name(view->head, cut);
	}
	free(cut);
	free(short_name);
}

/* Answers a question from the profile already read. */
static bool write_profile(struct view *view, const struct question_type *type)
{
	struct trace trace = *view->pages->trace;
	struct profile_question ask;
	bool done;

	question_begin(&ask.question, type);
	ask.question.function = view->function;
	ask.question.by = type == &question_durations ? BY_BEST : view->pages->by;
	trace.diag = view->diag;
	done = question_find_in_profile(&ask.question, &trace);
	if (done && ask.pattern) {
		put_name(view);
		function_sum_print(&trace, ask.pattern, view->head);
	} else if (done)
		put_waiting(view);
	if (done)
		question_write_to(&ask.question, &trace, &view->sink);
	question_clear(&ask.question);
	return done && !diag_has_error(view->diag);
}

/* ---- single calls, which only the file has ---- */

/* A duration in nanoseconds that count calls of the function, or a few more, reach according to the profile; 0: there are no more
 * than count calls. */
static uint64_t find_min_duration(const struct view *view, size_t count)
{
	const struct profile *profile = model_get_profile(view->model);
	const struct histogram *durations;
	uint64_t ticks;

	if (view->id >= profile->function_count)
		return 0;
	durations = &profile->functions[view->id].durations;
	if (durations->count <= count)
		return 0;
	/* The histogram is accurate within 1.6 %, so a larger part is subtracted. */
	ticks = histogram_percentile(durations, 1.0 - (double)count / (double)durations->count);
	return clock_duration_ns(model_get_clock(view->model), ticks - ticks / 32);
}

/* Opens the file once more, with the same settings. */
static bool open_again(const struct view *view, struct trace *trace)
{
	const struct trace *before = view->pages->trace;

	*trace = (struct trace){.diag = view->diag, .input = before->input, .jobs = before->jobs};
	if (before->is_seekable)
		return trace_open(trace, view->pages->path, view->diag);
	diag_add(view->diag, DIAG_ERROR, before->path, DIAG_NO_OFFSET, "single calls need to read it again, which a pipe cannot");
	return false;
}

static bool write_slowest(struct view *view, const struct question_type *type)
{
	struct slowest_question ask;
	struct trace trace;
	bool done;

	question_begin(&ask.question, type);
	ask.question.function = view->function;
	ask.question.thread = view->pages->thread;
	ask.question.limit = SLOWEST_COUNT;
	ask.question.by = view->pages->by;
	ask.longer_ns = ask.question.by == BY_CPU ? 0 : find_min_duration(view, CALLS_MAX); /* durations are wall-clock times */
	done = open_again(view, &trace) && slowest_find(&ask, &trace);
	if (done) {
		question_write_to(&ask.question, &trace, &view->sink);
		put_name(view);
		fprintf(view->head, ": its slowest calls (%zu), and what each of them did", slowest_count(ask.slowest));
	}
	question_clear(&ask.question);
	trace_close(&trace);
	return done && !diag_has_error(view->diag);
}

/* Writes to head how many calls are listed, and how many are not. */
static void put_call_counts(const struct view *view, uint64_t listed)
{
	const struct profile *profile = model_get_profile(view->model);
	uint64_t all = view->id < profile->function_count ? profile->functions[view->id].calls : 0;
	char count[UNITS_TEXT_BYTES], left[UNITS_TEXT_BYTES];

	units_format_count(count, listed);
	units_format_count(left, all > listed ? all - listed : 0);
	put_name(view);
	if (all > listed)
		fprintf(view->head, ": the longest %s calls; %s shorter ones are not listed", count, left);
	else
		fprintf(view->head, ": %s call%s, all there are", count, listed == 1 ? "" : "s");
}

static bool write_calls(struct view *view, const struct question_type *type)
{
	struct calls_question ask;
	struct trace trace;

	question_begin(&ask.question, type);
	ask.question.function = view->function;
	ask.question.thread = view->pages->thread;
	ask.question.limit = 2 * CALLS_MAX;
	ask.filter.longer_ns = find_min_duration(view, CALLS_MAX);
	if (open_again(view, &trace)) {
		question_write_to(&ask.question, &trace, &view->sink);
		put_call_counts(view, ask.count);
	}
	question_clear(&ask.question);
	trace_close(&trace);
	return !diag_has_error(view->diag);
}

/* ---- facts about the file ---- */

static bool write_health(struct view *view, const struct question_type *type)
{
	static const struct column column = {.key = "text", .title = "about this file", .unit = UNIT_TEXT};
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	(void)type;
	if (!out) {
		diag_add(view->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	summary_print(view->pages->trace, out);
	fputs(view->pages->messages, out);
	fclose(out);
	view->sink.begin(view->sink.context, "health", &column, 1);
	for (char *line = text, *next; line && *line; line = next) {
		struct cell cell = {.text = line};

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		if (*line)
			view->sink.row(view->sink.context, &cell);
	}
	view->sink.end(view->sink.context);
	free(text);
	return true;
}

/* ---- all pages ---- */

/* In the order of enum page. */
static const struct {
	const char *name;
	const struct question_type *type; /* null: the page has no question */
	bool of_function;
	bool (*write)(struct view *view, const struct question_type *type);
} types[PAGE_COUNT] = {
	{"functions", &question_functions, false, write_profile},
	{"tree", &question_tree, false, write_profile},
	{"callers", &question_callers, true, write_profile},
	{"callees", &question_callees, true, write_profile},
	{"durations", &question_durations, true, write_profile},
	{"slowest", &question_slowest, true, write_slowest},
	{"calls", &question_calls, true, write_calls},
	{"health", NULL, false, write_health},
};

const char *page_title(enum page page)
{
	return types[page].name;
}

bool page_is_of_function(enum page page)
{
	return types[page].of_function;
}

bool pages_find_function(const struct pages *pages, const char *name, uint32_t *id)
{
	const struct profile *profile = model_get_profile(pages->trace->model);
	struct functions *functions = model_get_functions(pages->trace->model);

	for (size_t i = 0; i < profile->function_count; i++) {
		if (!profile->functions[i].calls && !profile->functions[i].total)
			continue;
		*id = (uint32_t)i;
		if (!strcmp(functions_get_name(functions, *id), name))
			return true;
	}
	return false;
}

bool page_write(const struct pages *pages, enum page page, const char *function, uint32_t id, struct grid *grid, FILE *head,
	struct diag *diag)
{
	struct view view = {pages, pages->trace->model, function, id, grid_get_sink(grid), head, diag};

	grid->is_flat = page == PAGE_CALLS; /* calls of one function have no tree, since the calls between them are missing */
	grid->ticks = clock_is_unknown(model_get_clock(view.model));
	if (!types[page].of_function || function)
		return types[page].write(&view, types[page].type);
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "of which function? choose one first");
	return false;
}
