/* slowest: selects the slowest calls in a first pass, and reads their callees in a second. */
#include "query/ask/slowest.h"

#include <stdlib.h>

#include "analysis/calls/call_filter.h"
#include "query/require.h"
#include "query/parallel/selection.h"
#include "query/parameter.h"
#include "query/questions.h"
#include "query/replay.h"

#define CALLS_DEFAULT 5u
#define CALLS_MAX 10000 /* each call has a tree */

const struct option_row slowest_parameters[] = {
	{"--limit", "N", OPTION_COUNT, QUESTION_AT(limit), "the number of calls (5)", "-n", .low = 1, .high = CALLS_MAX},
	PARAMETERS_BY(HELP_BY_OF_CALLS),
	PARAMETER_DEPTH("only N levels below the call", .low = 0),
	PARAMETER_MIN("sum up what took less than PERCENT of the call (1); 0 shows all"),
	PARAMETER_THREAD,
	PARAMETER_TIME_OF_CALLS(),
	PARAMETER_LINES,
	{"--args", NULL, OPTION_FLAG, offsetof(struct slowest_question, args),
		"show arguments and return values of these calls, that dwell record --args recorded; dwell help calls explains them"},
	{0}};

static void offer(void *context, const struct call *call)
{
	struct slowest_question *ask = context;

	if (call_filter_matches(&ask->window, ask->clock, call))
		slowest_offer(ask->slowest, call);
}

/* Makes the pattern and the list of the slowest calls. False with a diag: memory ran out. */
static bool begin(struct slowest_question *ask, struct trace *trace)
{
	ask->clock = model_get_clock(trace->model);
	ask->pattern = make_pattern(ask->question.function, model_get_functions(trace->model));
	ask->slowest = ask->pattern ? make_slowest(ask->pattern, (size_t)ask->question.limit) : NULL;
	if (!ask->slowest)
		return question_report_no_memory(trace);
	if (ask->question.by == BY_CPU)
		slowest_rank_by_cpu(ask->slowest);
	return true;
}

/* Offers each single call: selected by several threads if there are few calls, else in order of exit. */
static bool offer_calls(struct slowest_question *ask, struct trace *trace)
{
	const struct model_options options = {.on_call = offer, .context = ask, .thread = ask->question.thread};
	struct call_filter filter;
	bool is_read;

	ask->window = call_filter_all();
	window_set_filter(&ask->question.span, &ask->window);
	filter = ask->window;
	filter.longer_ns = ask->longer_ns;
	is_read = trace_select(trace, ask->question.thread, &filter, ask->question.function);
	if ((!is_read && !trace_make_model(trace, &options, false)) || !begin(ask, trace))
		return false;
	for (size_t i = 0; is_read && i < selection_count(trace->selection); i++)
		offer(ask, selection_get(trace->selection, i));
	return is_read || trace_read(trace);
}

static bool read_first_pass(struct slowest_question *ask, struct trace *trace)
{
	if (!trace->is_seekable) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "has to be read twice, which a pipe cannot be: use a file");
		return false;
	}
	if (!offer_calls(ask, trace) || !require_calls(trace) || !require_times(trace) ||
		!require_time_by(trace, ask->question.by, ask->question.is_option))
		return false;
	if (!slowest_settle(ask->slowest))
		return question_report_no_memory(trace);
	if (!slowest_count(ask->slowest) && slowest_untimed(ask->slowest))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "does not say how long calls of '%s' took: hooks are at entries only",
			ask->question.function);
	else if (!slowest_count(ask->slowest) && ask->question.span.is_given && pattern_count(ask->pattern))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%stime: no call of '%s' was running then",
			question_get_option_prefix(&ask->question), ask->question.function);
	else if (!slowest_count(ask->slowest))
		require_report_no_function(trace, ask->question.function, ask->pattern);
	return slowest_count(ask->slowest);
}

static uint32_t enter(void *context, const struct call *call)
{
	struct slowest_question *ask = context;

	slowest_enter(ask->slowest, call, ask->second_model);
	return 0;
}

static void leave(void *context, const struct call *call)
{
	slowest_leave(((struct slowest_question *)context)->slowest, call);
}

/* Reads once more the chunks in which the slowest calls ran. Keeps the callees of these calls. */
static bool read_second_pass(struct slowest_question *ask, struct trace *trace)
{
	const struct model_options options = {.on_enter = enter,
		.on_call = leave,
		.context = ask,
		.functions = model_get_functions(trace->model),
		.want_values = ask->args};
	size_t count = slowest_count(ask->slowest);
	struct replay_span *spans = malloc(count * sizeof *spans);
	bool good = spans;

	for (size_t i = 0; good && i < count; i++) {
		const struct call *call = &slowest_get(ask->slowest, i)->call;

		spans[i] = (struct replay_span){call->stream, call->enter_ticks, call->exit_ticks};
	}
	good = good && replay_spans(trace, spans, count, &options, &ask->second_model);
	free(spans);
	return good;
}

bool slowest_find(struct slowest_question *ask, struct trace *trace)
{
	return read_first_pass(ask, trace) && read_second_pass(ask, trace);
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	return trace_open(trace, path, trace->diag) && slowest_find((struct slowest_question *)question, trace);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	const struct slowest_question *ask = (const struct slowest_question *)question;
	const struct slowest_form form = {trace->model, question->depth_limit, question->percent_min, ask->args};
	const struct table_sink *sink = question_get_sink(output, question, trace, model_get_clock(trace->model));

	if (sink && !slowest_write(ask->slowest, &form, 0, slowest_count(ask->slowest), sink))
		question_report_no_memory(trace);
}

static void clear(struct question *question)
{
	struct slowest_question *ask = (struct slowest_question *)question;

	free_slowest(ask->slowest);
	free_pattern(ask->pattern);
}

static const struct slowest_question defaults = {
	.question = {.limit = CALLS_DEFAULT, .depth_limit = UINT64_MAX, .percent_min = 1}};

const struct question_type question_slowest = {.name = "slowest",
	.text = "the slowest calls of a function, or of all, and what each of them did",
	.of_function = true,
	.usual_function = "*",
	.parameters = slowest_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.read = read,
	.write = write,
	.clear = clear};
