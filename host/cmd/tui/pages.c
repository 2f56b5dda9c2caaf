#include "cmd/tui/pages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/calls.h"
#include "analysis/calls/slowest.h"
#include "analysis/distribution.h"
#include "analysis/functions.h"
#include "analysis/relatives.h"
#include "analysis/shares.h"
#include "analysis/tree.h"
#include "cli/function_sum.h"
#include "cli/summary.h"
#include "query/ask.h"
#include "query/longest.h"
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

/* What a page is made of. */
struct question {
	const struct pages *pages;
	struct model *model;
	const char *function;
	uint32_t id;
	struct table_sink sink;
	FILE *head;
	struct diag *diag;
};

static bool starve(const struct question *question)
{
	diag_add(question->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

static bool write_functions(const struct question *question)
{
	const struct profile *profile = model_get_profile(question->model);
	const struct analysis_shares shares = {.profile = profile, .functions = model_get_functions(question->model), .limit = UINT64_MAX};
	const struct analysis_functions functions = {.profile = profile,
		.functions = shares.functions,
		.clock = model_get_clock(question->model),
		.by = question->pages->by,
		.limit = UINT64_MAX};

	return (model_is_sampled(question->model) ? analysis_shares(&shares, &question->sink)
						   : analysis_functions(&functions, &question->sink)) ||
	       starve(question);
}

static bool write_tree(const struct question *question)
{
	const struct analysis_tree tree = {.profile = model_get_profile(question->model),
		.functions = model_get_functions(question->model),
		.clock = model_get_clock(question->model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.by = question->pages->by};

	return analysis_tree(&tree, &question->sink) || starve(question);
}

static bool write_relatives(const struct question *question, struct pattern *pattern, enum relatives_side side)
{
	const struct analysis_relatives relatives = {.profile = model_get_profile(question->model),
		.functions = model_get_functions(question->model),
		.clock = model_get_clock(question->model),
		.pattern = pattern,
		.side = side,
		.limit = UINT64_MAX,
		.by = question->pages->by};

	return analysis_relatives(&relatives, &question->sink) || starve(question);
}

static bool write_durations(const struct question *question, struct pattern *pattern)
{
	struct analysis_distribution distribution = {
		.profile = model_get_profile(question->model), .clock = model_get_clock(question->model), .pattern = pattern};
	struct trace trace = *question->pages->trace;

	trace.diag = question->diag;
	if (!ask_has_durations(&trace))
		return false;
	return analysis_distribution(&distribution, &question->sink) || starve(question);
}

/* ---- single calls, which are in the file only ---- */

/* A duration that so many calls of the function reach, or a few more, as far as the profile knows; 0: all do. */
static uint64_t longer_than_most(const struct question *question, size_t count)
{
	const struct profile *profile = model_get_profile(question->model);
	const struct histogram *durations;
	uint64_t ticks;

	if (question->id >= profile->function_count)
		return 0;
	durations = &profile->functions[question->id].durations;
	if (durations->count <= count)
		return 0;
	/* The histogram knows it within 1.6 percent: what is taken off is more. */
	ticks = histogram_percentile(durations, 1.0 - (double)count / (double)durations->count);
	return clock_duration_ns(model_get_clock(question->model), ticks - ticks / 32);
}

/* The file once more, as it was opened before. */
static bool open_again(const struct question *question, struct trace *trace)
{
	const struct trace *before = question->pages->trace;

	*trace = (struct trace){.diag = question->diag, .input = before->input, .jobs = before->jobs};
	if (before->is_seekable)
		return trace_open(trace, question->pages->path, question->diag);
	diag_add(question->diag, DIAG_ERROR, before->path, DIAG_NO_OFFSET, "single calls need to read it again, which a pipe cannot");
	return false;
}

static bool write_slowest(const struct question *question)
{
	struct longest longest = {.function = question->function,
		.thread = question->pages->thread,
		.count = SLOWEST_COUNT,
		.by = question->pages->by,
		.longer_ns = longer_than_most(question, CALLS_MAX)};
	struct slowest_form form = {.depth_limit = UINT64_MAX, .percent_min = SLOWEST_PERCENT_MIN};
	struct trace trace;
	bool done = false;

	if (longest.by == BY_CPU) /* which durations are not of */
		longest.longer_ns = 0;
	if (open_again(question, &trace) && longest_find(&longest, &trace)) {
		form.model = trace.model;
		done = slowest_write(longest.slowest, &form, 0, slowest_count(longest.slowest), &question->sink) || starve(question);
		fprintf(question->head, "its slowest calls (%zu), and what each of them did", slowest_count(longest.slowest));
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

static void put_others(const struct question *question, const struct found_calls *found)
{
	const struct profile *profile = model_get_profile(question->model);
	uint64_t all = question->id < profile->function_count ? profile->functions[question->id].calls : 0;
	char count[UNITS_TEXT_BYTES], left[UNITS_TEXT_BYTES];

	units_format_count(count, found->count);
	units_format_count(left, all > found->count ? all - found->count : 0);
	if (all > found->count)
		fprintf(question->head, "the longest %s calls; %s shorter ones are not listed", count, left);
	else
		fprintf(question->head, "%s call%s, all there are", count, found->count == 1 ? "" : "s");
}

static bool write_calls(const struct question *question)
{
	struct trace trace;
	struct found_calls found = {.trace = &trace, .longer_ns = longer_than_most(question, CALLS_MAX)};
	const struct ask_calls ask = {question->function, question->pages->thread, begin_calls, take_call, &found, found.longer_ns};
	struct calls *calls = NULL;

	if (open_again(question, &trace) && ask_calls(&trace, &ask)) {
		qsort(found.calls, found.count, sizeof *found.calls, by_entry);
		calls = make_calls(trace.model, &question->sink, UINT64_MAX, false, model_has_switches(trace.model));
		if (!calls || found.starved)
			starve(question);
		for (size_t i = 0; calls && i < found.count; i++)
			calls_write(calls, &found.calls[i]);
		put_others(question, &found);
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

static bool write_health(const struct question *question)
{
	static const struct column column = {.key = "text", .title = "what is known of the file", .unit = UNIT_TEXT};
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return starve(question);
	summary_print(question->pages->trace, out);
	fputs(question->pages->messages, out);
	fclose(out);
	question->sink.begin(question->sink.context, "health", &column, 1);
	for (char *line = text, *next; line && *line; line = next) {
		struct cell cell = {.text = line};

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		if (*line)
			question->sink.row(question->sink.context, &cell);
	}
	question->sink.end(question->sink.context);
	free(text);
	return true;
}

/* ---- all of them ---- */

static bool write_of_function(const struct question *question, enum page page)
{
	struct pattern *pattern = make_pattern(question->function, model_get_functions(question->model));
	bool done;

	if (!pattern)
		return starve(question);
	function_sum_print(question->pages->trace, question->function, pattern, question->head);
	done = page == PAGE_DURATIONS ? write_durations(question, pattern)
				      : write_relatives(question, pattern, page == PAGE_CALLERS ? RELATIVES_CALLERS : RELATIVES_CALLEES);
	free_pattern(pattern);
	return done;
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
	struct question question = {pages, pages->trace->model, function, id, grid_get_sink(grid), head, diag};

	grid->is_flat = page == PAGE_CALLS; /* of one function: what is between them is not there */
	grid->ticks = clock_is_unknown(model_get_clock(question.model));
	if (page_is_of_function(page) && !function) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "of which function? choose one first");
		return false;
	}
	switch (page) {
	case PAGE_FUNCTIONS:
		return write_functions(&question);
	case PAGE_TREE:
		return write_tree(&question);
	case PAGE_CALLERS:
	case PAGE_CALLEES:
	case PAGE_DURATIONS:
		return write_of_function(&question, page);
	case PAGE_SLOWEST:
	case PAGE_CALLS:
		summary_print_name(head, function);
		fputs(": ", head);
		return page == PAGE_SLOWEST ? write_slowest(&question) : write_calls(&question);
	default:
		return write_health(&question);
	}
}
