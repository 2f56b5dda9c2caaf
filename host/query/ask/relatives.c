/* relatives: the questions of dwell callers and dwell callees. The answer has a row for each caller or callee of the function. */
#include "query/ask/relatives.h"

#include "analysis/relatives.h"
#include "query/require.h"
#include "query/parameter.h"
#include "query/questions.h"
#include "util/name_match.h"

const struct option_row relatives_parameters[] = {
	PARAMETERS_BY(HELP_BY_OF_SUMS), PARAMETER_LIMIT("functions"), PARAMETER_THREAD, PARAMETER_TIME, PARAMETER_LINES, PARAMETER_RAW, {0}};

static enum relatives_side get_side(const struct question *question)
{
	return question->type == &question_callers ? RELATIVES_CALLERS : RELATIVES_CALLEES;
}

/* Whether the file has samples. Samples need a callback in order, on one thread; calls are read by several threads. A pipe gives
 * names last, too late to match a sample's functions, so there the callback is not used. */
static bool has_samples(struct trace *trace)
{
	struct message message;
	bool found;

	if (!trace->is_seekable)
		return false;
	do {
		reader_next(trace->reader, &message);
		found = message.kind == MESSAGE_SAMPLING || message.kind == MESSAGE_SAMPLES;
	} while (!found && message.kind != MESSAGE_END && message.kind != MESSAGE_EVENTS && message.kind != MESSAGE_PACKED &&
		 message.kind != MESSAGE_CHECKPOINT && message.kind != MESSAGE_WEIGHT);
	reader_rewind(trace->reader);
	return found;
}

static bool read_model(struct profile_question *ask, struct trace *trace, const struct model_options *options)
{
	if (!trace_make_model(trace, options, false))
		return false;
	if (trace->options.on_sample) { /* without on_sample, several threads make another model, which loses the pattern */
		profile_find_pattern(ask, trace);
		ask->shares.pattern = ask->pattern;
	}
	return trace_read(trace) && question_find_in_profile(&ask->question, trace);
}

/* Pairs of functions are enough for one function. Several functions taken together need paths. */
static bool needs_paths(const struct profile_question *ask, const struct trace *trace)
{
	return trace->options.pairs && trace->is_seekable &&
	       analysis_sum(model_get_profile(trace->model), ask->pattern).functions > 1;
}

static bool read_paths(struct profile_question *ask, struct trace *trace, struct model_options *options)
{
	options->pairs = false;
	free_pattern(ask->pattern);
	ask->pattern = NULL;
	return trace_restart(trace) && read_model(ask, trace, options);
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	struct profile_question *ask = (struct profile_question *)question;
	struct model_options model = {.want_profile = true,
		.raw = question->raw,
		.no_durations = true,
		.thread = question->thread,
		.context = &ask->shares};

	trace->span = question->span;
	ask->shares.side = get_side(question);
	if (!trace_open(trace, path, trace->diag))
		return false;
	if (has_samples(trace))
		model.on_sample = relative_shares_take;
	model.pairs = !model.on_sample && !name_match_is_pattern(question->function);
	if (!read_model(ask, trace, &model) || (needs_paths(ask, trace) && !read_paths(ask, trace, &model)))
		return false;
	relative_shares_finish(&ask->shares, model_get_profile(trace->model)->estimates.jittered);
	if (ask->shares.has_failed)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: how sure it is cannot be told");
	return true;
}

const struct estimates *relatives_get_shares(const struct profile_question *ask)
{
	return ask->shares.rows.samples && !ask->shares.has_failed ? &ask->shares.rows : NULL;
}

static bool write_rows(struct profile_question *ask, const struct trace *trace, const struct table_sink *sink)
{
	const struct analysis_relatives relatives = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.pattern = ask->pattern,
		.side = get_side(&ask->question),
		.limit = ask->question.limit,
		.rest = &ask->question.rest,
		.by = ask->question.by,
		.shares = relatives_get_shares(ask)};

	return analysis_relatives(&relatives, sink);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	if (require_time_by(trace, question->by, question->is_option))
		profile_write(question, trace, output, write_rows);
}

#define RELATIVES                                                                                                                  \
	.of_function = true, .parameters = relatives_parameters, .read = read, .find = profile_find, .write = write,               \
	PROFILE_QUESTION

const struct question_type question_callers = {
	.name = "callers", .text = "who calls a function, how often and for how long", RELATIVES};
const struct question_type question_callees = {
	.name = "callees", .text = "what a function calls, how often and for how long", RELATIVES};
