#include "cmd/tui/pages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/calls.h"
#include "analysis/calls/slowest.h"
#include "cli/function_sum.h"
#include "cli/summary.h"
#include "query/ask.h"
#include "query/longest.h"
#include "query/question.h"
#include "util/array.h"
#include "util/units.h"

#define SLOWEST_COUNT 25u
#define SLOWEST_PERCENT_MIN 1.0
#define CALLS_MAX 50000u /* that are listed: the longest ones */

const char *const page_names[PAGE_COUNT] = {
	"functions", "tree", "callers", "callees", "durations", "slowest", "calls", "health"};

bool page_is_of_function(enum page page)
{
	return page >= PAGE_CALLERS && page <= PAGE_CALLS;
}

/* A page that is written. */
struct view {
	const struct pages *pages;
	struct model *model;
	const char *function;
	uint32_t id;
	struct table_sink sink;
	FILE *head;
	struct diag *diag;
};

static bool starve(const struct view *view)
{
	diag_add(view->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* The answer to a question about the profile, which is read already. */
static bool write_profile(const struct view *view, enum question_kind kind)
{
	struct question question = {.kind = kind,
		.function = view->function,
		.by = kind == QUESTION_DURATIONS ? BY_BEST : view->pages->by,
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX};
	struct trace trace = *view->pages->trace;
	bool done;

	trace.diag = view->diag;
	done = question_find(&question, &trace);
	if (done && question.pattern)
		function_sum_print(&trace, view->function, question.pattern, view->head);
	done = done && question_write(&question, &trace, &view->sink);
	question_clear(&question);
	return done;
}

/* ---- single calls, which are in the file only ---- */

/* A duration that so many calls of the function reach, or a few more, as far as the profile knows; 0: all do. */
static uint64_t longer_than_most(const struct view *view, size_t count)
{
	const struct profile *profile = model_get_profile(view->model);
	const struct histogram *durations;
	uint64_t ticks;

	if (view->id >= profile->function_count)
		return 0;
	durations = &profile->functions[view->id].durations;
	if (durations->count <= count)
		return 0;
	/* The histogram knows it within 1.6 percent: what is taken off is more. */
	ticks = histogram_percentile(durations, 1.0 - (double)count / (double)durations->count);
	return clock_duration_ns(model_get_clock(view->model), ticks - ticks / 32);
}

/* The file once more, as it was opened before. */
static bool open_again(const struct view *view, struct trace *trace)
{
	const struct trace *before = view->pages->trace;

	*trace = (struct trace){.diag = view->diag, .input = before->input, .jobs = before->jobs};
	if (before->is_seekable)
		return trace_open(trace, view->pages->path, view->diag);
	diag_add(view->diag, DIAG_ERROR, before->path, DIAG_NO_OFFSET, "single calls need to read it again, which a pipe cannot");
	return false;
}

static bool write_slowest(const struct view *view)
{
	struct longest longest = {.function = view->function,
		.thread = view->pages->thread,
		.count = SLOWEST_COUNT,
		.by = view->pages->by,
		.longer_ns = longer_than_most(view, CALLS_MAX)};
	struct slowest_form form = {.depth_limit = UINT64_MAX, .percent_min = SLOWEST_PERCENT_MIN};
	struct trace trace;
	bool done = false;

	if (longest.by == BY_CPU) /* which durations are not of */
		longest.longer_ns = 0;
	if (open_again(view, &trace) && longest_find(&longest, &trace)) {
		form.model = trace.model;
		done = slowest_write(longest.slowest, &form, 0, slowest_count(longest.slowest), &view->sink) || starve(view);
		fprintf(view->head, "its slowest calls (%zu), and what each of them did", slowest_count(longest.slowest));
	}
	longest_clear(&longest);
	trace_close(&trace);
	return done;
}

struct found_calls {
	struct pattern *pattern;
	struct trace *trace;
	uint64_t longer_ns;
	struct call *calls;
	size_t count, capacity;
	uint64_t others; /* that were left out */
	bool starved;
};

static bool begin_calls(void *context, struct pattern *pattern)
{
	((struct found_calls *)context)->pattern = pattern;
	return true;
}

static void take_call(void *context, const struct call *call)
{
	struct found_calls *found = context;

	if (!pattern_matches(found->pattern, call->function))
		return;
	if (found->count >= 2 * CALLS_MAX ||
		clock_duration_ns(model_get_clock(found->trace->model), call->total_ticks) < found->longer_ns)
		found->others++;
	else if (array_reserve(&found->calls, &found->capacity, found->count + 1, sizeof *found->calls))
		found->calls[found->count++] = *call;
	else
		found->starved = true;
}

static int by_entry(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	if (a->enter_ticks != b->enter_ticks)
		return a->enter_ticks < b->enter_ticks ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

static void put_others(const struct view *view, const struct found_calls *found)
{
	const struct profile *profile = model_get_profile(view->model);
	uint64_t all = view->id < profile->function_count ? profile->functions[view->id].calls : 0;
	char count[UNITS_TEXT_BYTES], left[UNITS_TEXT_BYTES];

	units_format_count(count, found->count);
	units_format_count(left, all > found->count ? all - found->count : 0);
	if (all > found->count)
		fprintf(view->head, "the longest %s calls; %s shorter ones are not listed", count, left);
	else
		fprintf(view->head, "%s call%s, all there are", count, found->count == 1 ? "" : "s");
}

static bool write_calls(const struct view *view)
{
	struct trace trace;
	struct found_calls found = {.trace = &trace, .longer_ns = longer_than_most(view, CALLS_MAX)};
	const struct ask_calls ask = {view->function, view->pages->thread, begin_calls, take_call, &found, found.longer_ns};
	struct calls *calls = NULL;

	if (open_again(view, &trace) && ask_calls(&trace, &ask)) {
		qsort(found.calls, found.count, sizeof *found.calls, by_entry);
		calls = make_calls(trace.model, &view->sink, UINT64_MAX, false, model_has_switches(trace.model));
		if (!calls || found.starved)
			starve(view);
		for (size_t i = 0; calls && i < found.count; i++)
			calls_write(calls, &found.calls[i]);
		put_others(view, &found);
	}
	if (calls)
		calls_end(calls);
	free_calls(calls);
	free(found.calls);
	free_pattern(found.pattern);
	trace_close(&trace);
	return calls && !found.starved;
}

/* ---- what is known of the file ---- */

static bool write_health(const struct view *view)
{
	static const struct column column = {.key = "text", .title = "about this file", .unit = UNIT_TEXT};
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return starve(view);
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

/* ---- all of them ---- */

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

	grid->is_flat = page == PAGE_CALLS; /* of one function: what is between them is not there */
	grid->ticks = clock_is_unknown(model_get_clock(view.model));
	if (page_is_of_function(page) && !function) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "of which function? choose one first");
		return false;
	}
	switch (page) {
	case PAGE_FUNCTIONS:
		return write_profile(&view, QUESTION_FUNCTIONS);
	case PAGE_TREE:
		return write_profile(&view, QUESTION_TREE);
	case PAGE_CALLERS:
		return write_profile(&view, QUESTION_CALLERS);
	case PAGE_CALLEES:
		return write_profile(&view, QUESTION_CALLEES);
	case PAGE_DURATIONS:
		return write_profile(&view, QUESTION_DURATIONS);
	case PAGE_SLOWEST:
	case PAGE_CALLS:
		summary_print_name(head, function);
		fputs(": ", head);
		return page == PAGE_SLOWEST ? write_slowest(&view) : write_calls(&view);
	default:
		return write_health(&view);
	}
}
