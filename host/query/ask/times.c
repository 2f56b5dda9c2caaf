/* times: the answer has a row for each function, with the calls of a trace and the share of a sampled recording. */
#include "query/ask/times.h"

#include "analysis/shares.h"
#include "model/profile/kept_slowest.h"
#include "query/health.h"
#include "query/parameter.h"
#include "query/questions.h"
#include "query/require.h"

const struct option_row times_parameters[] = {
	PARAMETER_TIMES_FROM(offsetof(struct times_question, samples)),
	{"--sort", "KEY", OPTION_TEXT, offsetof(struct times_question, sort),
		"sort by function, samples, self_percent (the default), total_percent, calls or self_per_call",
		.get_choices = analysis_shares_sort_keys},
	PARAMETER_LIMIT("functions"),
	PARAMETER_THREAD,
	PARAMETER_LINES,
	{0}};

static struct times_question *get_times(struct question *question)
{
	return (struct times_question *)question;
}

static const char *check(const struct question *question)
{
	return ((const struct times_question *)question)->samples ? NULL : "times needs the recording with the samples: times_from";
}

/* False with a diag: the trace has no calls, or the two files were given in the wrong order. */
static bool read_calls(struct question *question, struct trace *trace, const char *path)
{
	const struct model_options model = {
		.want_profile = true, .no_tree = true, .no_durations = true, .raw = true, .thread = question->thread};

	trace->skips_tree_warning = true;
	if (!trace_read_model(trace, path, &model))
		return false;
	if (model_get_kept_slowest(trace->model)->count)
		diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET,
			"was recorded with --keep-slowest: of some functions it has only the slowest calls, so that their numbers are too small");
	if (!model_is_sampled(trace->model))
		return require_calls(trace);
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
		"has samples, not calls; first comes the trace, with %stimes-from the samples", question_get_option_prefix(question));
	return false;
}

static bool read_samples(struct times_question *ask, struct trace *trace)
{
	const struct model_options model = {.want_profile = true,
		.no_tree = true,
		.thread = ask->question.thread,
		.on_sample = joined_take,
		.context = &ask->joined};

	ask->sampled = (struct trace){
		.diag = trace->diag, .jobs = 1, .input = trace->input, .watch = trace->watch, .skips_tree_warning = true};
	if (!trace_open(&ask->sampled, ask->samples, trace->diag) || !trace_make_model(&ask->sampled, &model, false))
		return false;
	ask->joined.sampled = model_get_functions(ask->sampled.model);
	if (!trace_read(&ask->sampled))
		return false;
	if (model_is_sampled(ask->sampled.model) && ask->sampled.is_seekable)
		return true;
	diag_add(trace->diag, DIAG_ERROR, ask->sampled.path, DIAG_NO_OFFSET, "%stimes-from: %s",
		question_get_option_prefix(&ask->question),
		ask->sampled.is_seekable ? "has no samples; record with --sample" : "samples are read from a file, not from a pipe");
	return false;
}

/* False with a diag: no sample is in a function of the trace. */
static bool require_common(const struct times_question *ask, const struct trace *trace)
{
	if (ask->joined.traced_weight)
		return true;
	if (!ask->joined.profile->total)
		diag_add(trace->diag, DIAG_ERROR, ask->sampled.path, DIAG_NO_OFFSET, "has no sample: the program used too little CPU time");
	else
		diag_add(trace->diag, DIAG_ERROR, ask->sampled.path, DIAG_NO_OFFSET,
			"no sample is in a function that %s has: are both recordings of the same program?", trace->path);
	return false;
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	struct times_question *ask = get_times(question);

	if (!read_calls(question, trace, path))
		return false;
	ask->joined.functions = model_get_functions(trace->model);
	if (!joined_begin(&ask->joined, model_get_profile(trace->model)))
		return question_report_no_memory(trace), false;
	if (!read_samples(ask, trace))
		return false;
	if (!joined_finish(&ask->joined, model_get_profile(ask->sampled.model)))
		return question_report_no_memory(trace), false;
	health_warn(&ask->sampled);
	return require_common(ask, trace);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	struct times_question *ask = get_times(question);
	const struct analysis_shares shares = {.profile = ask->joined.profile,
		.functions = ask->joined.functions,
		.sort = ask->sort,
		.limit = question->limit,
		.rest = &question->rest};
	const struct table_sink *sink;

	if (ask->sort && !analysis_shares_can_sort(ask->sort)) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%ssort '%s': expected one of %s",
			question_get_option_prefix(question), ask->sort, analysis_shares_sort_keys());
		return;
	}
	sink = question_get_sink(output, question, trace, model_get_clock(ask->sampled.model));
	if (sink && !analysis_shares(&shares, sink))
		question_report_no_memory(trace);
}

static void clear(struct question *question)
{
	joined_clear(&get_times(question)->joined);
	trace_close(&get_times(question)->sampled);
}

static const struct times_question defaults = {.question = {QUESTION_DEFAULTS}};

const struct question_type question_times = {.name = "times",
	.text = "calls of a trace with times of a sampled recording, function by function",
	.parameters = times_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.check = check,
	.read = read,
	.write = write,
	.clear = clear};
