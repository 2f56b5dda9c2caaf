#include "query/question.h"

#include <string.h>

#include "analysis/functions.h"
#include "analysis/relatives.h"
#include "analysis/shares.h"
#include "analysis/tree.h"
#include "query/ask.h"

static bool is_of_function(const struct question *question)
{
	return question->kind >= QUESTION_CALLERS;
}

static bool is_of_relatives(const struct question *question)
{
	return question->kind == QUESTION_CALLERS || question->kind == QUESTION_CALLEES;
}

/* Each sample is told in order then, which calls are not worth: they are read by several threads. Of a pipe names come last, too late to
 * know whose sample it is. */
static bool is_of_samples(struct trace *trace)
{
	struct message message;
	bool found;

	if (!trace->is_seekable)
		return false;
	do {
		reader_next(trace->reader, &message);
		found = message.kind == MESSAGE_SAMPLING || message.kind == MESSAGE_SAMPLES;
	} while (!found && message.kind != MESSAGE_END && message.kind != MESSAGE_EVENTS && message.kind != MESSAGE_RUN &&
		 message.kind != MESSAGE_CHECKPOINT && message.kind != MESSAGE_WEIGHT);
	reader_rewind(trace->reader);
	return found;
}

/* A model that several threads make is another one. */
static void begin_samples(void *context, struct trace *trace)
{
	struct question *question = context;

	if (trace->options.on_sample)
		question->pattern = question->shares.pattern = make_pattern(question->function, model_get_functions(trace->model));
}

bool question_find(struct question *question, struct trace *trace)
{
	if (is_of_function(question)) {
		if (!question->pattern)
			question->pattern = make_pattern(question->function, model_get_functions(trace->model));
		if (!ask_found(trace, question->function, question->pattern))
			return false;
	}
	return question->kind == QUESTION_DURATIONS ? ask_has_durations(trace) : ask_knows_time(trace, question->by);
}

bool question_read(struct question *question, struct trace *trace, const char *path)
{
	struct model_options model = {.want_profile = true,
		.raw = question->raw,
		.no_durations = question->kind == QUESTION_TREE || is_of_relatives(question),
		.thread = question->thread,
		.context = &question->shares};

	question->shares.side = question->kind == QUESTION_CALLERS ? RELATIVES_CALLERS : RELATIVES_CALLEES;
	if (!trace_open(trace, path, trace->diag))
		return false;
	if (is_of_relatives(question) && is_of_samples(trace))
		model.on_sample = relative_shares_take;
	if (!trace_make_model(trace, &model, false))
		return false;
	begin_samples(question, trace);
	if (!trace_read(trace) || !question_find(question, trace))
		return false;
	relative_shares_finish(&question->shares);
	if (question->shares.has_failed)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: how sure it is cannot be told");
	return true;
}

static bool can_sort(const struct question *question, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);

	if (!model_is_sampled(trace->model))
		return analysis_functions_can_sort(question->sort, profile->has_times);
	return analysis_shares_can_sort(question->sort) && (profile->counts_calls || strcmp(question->sort, "calls") != 0);
}

/* False and a diag: there is no such column. */
static bool check_sort(const struct question *question, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	bool is_sampled = model_is_sampled(trace->model);
	const char *problem = model_get_cpu_problem(trace->model), *dashes = question->is_option ? "--" : "";

	if (!can_sort(question, trace)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%ssort '%s': %sexpected one of %s", dashes, question->sort,
			is_sampled ? "of samples, " : "",
			is_sampled ? analysis_shares_sort_keys() : analysis_functions_sort_keys(profile->has_times));
		return false;
	}
	if (is_sampled || !profile->has_times || profile->has_off || !analysis_functions_needs_cpu(question->sort))
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%ssort '%s': its CPU time is not known%s%s", dashes, question->sort,
		*problem ? ": " : "", problem);
	return false;
}

bool question_check(const struct question *question, const struct trace *trace)
{
	if (question->kind == QUESTION_FUNCTIONS && question->sort && !check_sort(question, trace))
		return false;
	return question->kind == QUESTION_DURATIONS || ask_knows_time(trace, question->by);
}

static struct analysis_functions of_functions(const struct question *question, const struct trace *trace)
{
	return (struct analysis_functions){.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.sort = question->sort,
		.by = question->by,
		.limit = question->limit};
}

const char *question_get_order(const struct question *question, const struct trace *trace, enum by *by)
{
	const struct analysis_functions functions = of_functions(question, trace);

	*by = analysis_functions_ordered_by(&functions);
	return analysis_functions_order(&functions);
}

static bool write_functions(struct question *question, const struct trace *trace, const struct table_sink *sink)
{
	struct analysis_functions functions = of_functions(question, trace);
	const struct analysis_shares shares = {.profile = functions.profile,
		.functions = functions.functions,
		.sort = question->sort,
		.limit = question->limit,
		.rest = &question->rest};

	functions.rest = &question->rest;
	return model_is_sampled(trace->model) ? analysis_shares(&shares, sink) : analysis_functions(&functions, sink);
}

static bool write_tree(struct question *question, const struct trace *trace, const struct table_sink *sink)
{
	const struct analysis_tree tree = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.limit = question->limit,
		.depth_limit = question->depth_limit,
		.percent_min = question->percent_min,
		.rest = &question->rest,
		.by = question->by};

	return analysis_tree(&tree, sink);
}

static bool write_relatives(struct question *question, const struct trace *trace, const struct table_sink *sink)
{
	const struct analysis_relatives relatives = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.pattern = question->pattern,
		.side = question->kind == QUESTION_CALLERS ? RELATIVES_CALLERS : RELATIVES_CALLEES,
		.limit = question->limit,
		.rest = &question->rest,
		.by = question->by,
		.shares = question_get_shares(question)};

	return analysis_relatives(&relatives, sink);
}

static bool write_durations(struct question *question, const struct trace *trace, const struct table_sink *sink)
{
	question->durations = (struct analysis_distribution){
		.profile = model_get_profile(trace->model), .clock = model_get_clock(trace->model), .pattern = question->pattern};
	return analysis_distribution(&question->durations, sink);
}

const struct estimates *question_get_shares(const struct question *question)
{
	return question->shares.rows.samples && !question->shares.has_failed ? &question->shares.rows : NULL;
}

bool question_write(struct question *question, struct trace *trace, const struct table_sink *sink)
{
	static bool (*const write[])(struct question *question, const struct trace *trace, const struct table_sink *sink) = {
		write_functions, write_tree, write_relatives, write_relatives, write_durations};

	question->rest = (struct table_rest){0};
	if (!question_check(question, trace))
		return false;
	if (write[question->kind](question, trace, sink))
		return true;
	diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

void question_clear(struct question *question)
{
	free_pattern(question->pattern);
	relative_shares_clear(&question->shares);
}
