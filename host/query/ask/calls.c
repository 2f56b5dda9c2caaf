/* calls: single calls by exit in one pass; by entry in two passes, or in one pass by several threads if the calls are few. */
#include "query/ask/calls.h"

#include <string.h>

#include "analysis/calls/calls.h"
#include "model/entry_order.h"
#include "query/require.h"
#include "query/parallel/selection.h"
#include "query/parameter.h"
#include "query/questions.h"
#include "query/second_pass.h"

#define NEEDS_LONGER .needs = {"--longer", "it tells by which time calls are that long"}
#define CALLS_AT(member) offsetof(struct calls_question, member)

const struct option_row calls_parameters[] = {
	{"--function", "F", OPTION_TEXT, QUESTION_AT(function),
		"only calls of function F: its name as dwell report shows it, or without its C++ arguments; * matches any text, "
		"unless a function has exactly that name: parse(char const*)"},
	{"--longer", "T", OPTION_DURATION, CALLS_AT(filter.longer_ns), "only calls that took at least T: 20us, 1.5ms, 2s"},
	PARAMETERS_BY(HELP_BY_OF_CALLS, NEEDS_LONGER),
	{"--from", "T", OPTION_MOMENT, CALLS_AT(filter.from_ns),
		"only calls that were running at T or later; T counts from the start of the recording"},
	{"--to", "T", OPTION_MOMENT, CALLS_AT(filter.to_ns), "only calls that were running at T or earlier"},
	PARAMETER_TIME_OF_CALLS(.excludes = OPTION_EXCLUDES({"--from --to", "they say the same"})),
	PARAMETER_DEPTH("only N levels: depths 0 to N - 1", .low = 1),
	{"--order", "ORDER", OPTION_CHOICE, CALLS_AT(order),
		"entry (the default): by time of entry; dwell reads the file twice, or once if few calls are asked for. exit: by "
		"time of exit within each thread; works from a pipe",
		.choices = "entry or exit"},
	PARAMETER_LIMIT("of these calls"),
	PARAMETER_THREAD,
	PARAMETER_LINES,
	{"--args", NULL, OPTION_FLAG, CALLS_AT(args),
		"show arguments and return values that dwell record --args recorded. Types are not known: dwell shows the first "
		"integer registers, whether or not the function takes them. Small numbers are signed decimals, others hex (an "
		"int of -5 may be 0xfffffffb); floating point is not recorded. NITRO call traces: those of r0 to r3 that the "
		"trace keeps, ? for others, and lr, which dwell names resolves"},
	{0}};

/* An answer in progress: the rows are written while the recording is read. */
struct show {
	struct trace *trace;
	struct calls_question *ask;
	const struct question_output *output;
	struct call_filter filter; /* a copy of the question's, with pattern; the pattern is owned */
	struct calls *calls; /* the table; null: not begun yet */
	uint64_t rows; /* by entry: rows written so far */
	const bool *is_done; /* null; or true once the reader of the rows needs no more */
};

/* Begins the table. False: the rows are not needed, or memory ran out, which a diag reports. */
static bool begin_table(struct show *show)
{
	const struct table_sink *sink =
		question_get_sink(show->output, &show->ask->question, show->trace, model_get_clock(show->trace->model));

	if (!sink)
		return false;
	show->is_done = sink->is_done;
	show->calls = make_calls(show->trace->model, sink, show->ask->question.limit, show->ask->args,
		show->trace->has_switches || model_has_switches(show->trace->model),
		show->trace->has_faults || model_has_faults(show->trace->model));
	if (!show->calls)
		diag_add(show->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return show->calls;
}

/* Makes the pattern of the chosen functions, once the model has functions. */
static bool begin_filter(struct show *show)
{
	if (!show->ask->question.function)
		return true;
	show->filter.pattern = make_pattern(show->ask->question.function, model_get_functions(show->trace->model));
	if (!show->filter.pattern)
		diag_add(show->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return show->filter.pattern;
}

/* False with a diag: no function matches. pre: the model has all functions. */
static bool check_filter(const struct show *show)
{
	if (!show->filter.pattern || pattern_count(show->filter.pattern))
		return true;
	require_report_no_function(show->trace, show->ask->question.function, show->filter.pattern);
	return false;
}

/* False with a diag: the recording has no single calls, or lacks a time that the question needs. pre: the recording is read. */
static bool check_recording(const struct show *show)
{
	bool wants_times = show->filter.longer_ns || call_filter_has_times(&show->filter);

	return require_calls(show->trace) && (!wants_times || require_times(show->trace)) &&
	       require_time_by(show->trace, show->ask->question.by, show->ask->question.is_option);
}

/* ---- by exit, in one pass ---- */

static void write_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (!call_filter_matches(&show->filter, model_get_clock(show->trace->model), call))
		return;
	if (!show->calls && !begin_table(show))
		return;
	calls_write(show->calls, call);
}

static void show_by_exit(struct show *show)
{
	const struct model_options model = {
		.on_call = write_call, .context = show, .thread = show->ask->question.thread, .want_values = show->ask->args};

	if (!trace_make_model(show->trace, &model, true) || !begin_filter(show) || !trace_read(show->trace))
		return;
	if (!check_recording(show) || !check_filter(show))
		return;
	if (show->calls || begin_table(show)) /* the table may not have begun, because there was no call */
		calls_end(show->calls);
}

/* ---- by entry ---- */

/* Writes the call if the filter takes the call. Returns false if no more calls are needed. */
static bool use_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (call_filter_matches(&show->filter, model_get_clock(show->trace->model), call)) {
		show->rows++;
		calls_write(show->calls, call);
	}
	return show->rows < show->ask->question.limit && !(show->is_done && *show->is_done);
}

static void write_in_order(struct show *show)
{
	struct entry_replay replay;
	struct second_pass pass;

	if (!second_pass_begin(&pass, show->trace, "writing calls"))
		return;
	replay = second_pass_get_replay(&pass);
	if (begin_table(show)) {
		if (show->ask->question.limit)
			entry_order_write(show->trace->order, &replay, use_call, show);
		calls_end(show->calls);
	}
	second_pass_end(&pass);
}

/* If the filter takes few calls, several threads select them while modelling parts of the trace: one pass, whatever the length of
 * the trace. False: nothing was written. There is no filter, the question needs values, there are too many calls, or several
 * threads cannot read the trace. */
static bool show_selection(struct show *show)
{
	const struct question *question = &show->ask->question;
	const struct call_filter *filter = &show->filter;
	bool has_filter =
		question->function || filter->longer_ns || filter->depth_limit != UINT64_MAX || call_filter_has_times(filter);

	if (!has_filter || show->ask->args)
		return false;
	if (!trace_select(show->trace, question->thread, filter, question->function))
		return false;
	if (!check_recording(show) || !begin_filter(show) || !check_filter(show) || !begin_table(show))
		return true;
	/* Only now are the calls' times off the CPU complete, which the filter may need. */
	for (size_t i = 0; i < selection_count(show->trace->selection) && !calls_is_done(show->calls); i++)
		if (call_filter_matches(
			    &show->filter, model_get_clock(show->trace->model), selection_get(show->trace->selection, i)))
			calls_write(show->calls, selection_get(show->trace->selection, i));
	calls_end(show->calls);
	return true;
}

/* The first of two passes: finds the order of entry. False with a diag: failed. */
static bool read_first_pass(struct show *show)
{
	struct trace *trace = show->trace;

	return trace_make_order(trace, show->ask->question.thread) && trace_read(trace) && check_recording(show);
}

static void show_by_entry(struct show *show)
{
	struct trace *trace = show->trace;

	if (!trace->is_seekable) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"calls in order of entry need to read it twice, which a pipe cannot: use %sorder exit, or a file",
			question_get_option_prefix(&show->ask->question));
		return;
	}
	if (show_selection(show))
		return;
	if (read_first_pass(show) && begin_filter(show) && check_filter(show))
		write_in_order(show);
}

static const char *check(const struct question *question)
{
	const struct call_filter *filter = &((const struct calls_question *)question)->filter;

	return filter->to_ns < filter->from_ns ? question->is_option ? "--to is before --from" : "to is before from" : NULL;
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	trace->wants_values = ((struct calls_question *)question)->args;
	return trace_open(trace, path, trace->diag);
}

/* Reads the recording while writing the rows. */
static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	struct calls_question *ask = (struct calls_question *)question;
	struct show show = {.trace = trace, .ask = ask, .output = output, .filter = ask->filter};

	show.filter.depth_limit = question->depth_limit;
	window_set_filter(&question->span, &show.filter);
	show.filter.longer_on_cpu = question->by == BY_CPU;
	if (ask->order && !strcmp(ask->order, "exit"))
		show_by_exit(&show);
	else
		show_by_entry(&show);
	ask->count = show.calls ? calls_count(show.calls) : 0;
	ask->have_values = show.calls && calls_have_values(show.calls);
	free_pattern(show.filter.pattern);
	free_calls(show.calls);
}

static const struct calls_question defaults = {
	.question = {QUESTION_DEFAULTS}, .filter = {.depth_limit = UINT64_MAX, .from_ns = INT64_MIN, .to_ns = INT64_MAX}};

const struct question_type question_calls = {.name = "calls",
	.text = "the calls one by one",
	.parameters = calls_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.check = check,
	.read = read,
	.write = write};
