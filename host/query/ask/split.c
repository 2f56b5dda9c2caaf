/* split: the question of dwell report --split. The answer has a row for each interval of the function's code. */
#include "query/ask/split.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/split.h"
#include "query/require.h"
#include "query/parameter.h"
#include "query/questions.h"

const struct option_row split_parameters[] = {
	PARAMETER_INTERVALS(offsetof(struct split_question, intervals)),
	PARAMETER_THREAD,
	{0}};

static const char *name_of(const struct question *question)
{
	return question->is_option ? "--split" : "split";
}

/* Adds an error that lists the functions that match, because the question is about a single function. */
static void refuse_several(const struct question *question, const struct trace *trace, const struct split *split)
{
	char list[1024];
	size_t used = 0;

	for (size_t i = 0; i < split->count && used < sizeof list - 1; i++) {
		char *name = make_functions_name_and_place(split->functions, split->symbols[i].function);

		used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", name ? name : "?");
		free(name);
	}
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s '%s': %zu functions that were sampled are meant, say which one: %s%s",
		name_of(question), question->function, split->count, list, used < sizeof list ? "" : "...");
}

/* The function with its samples. Null with a diag: no function or several functions match, or the function has no samples. */
static const struct split_symbol *find_symbol(const struct question *question, const struct trace *trace)
{
	const struct split *split = model_get_split(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	uint64_t sampled = 0, nameless = 0;

	if (!profile->has_samples) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s '%s': %s", name_of(question), question->function,
			model_is_sampled(trace->model) ? "the recording has no sample at all"
						       : "has no samples, only calls; record with --sample");
		return NULL;
	}
	if (split->count > 1) {
		refuse_several(question, trace, split);
		return NULL;
	}
	if (split->count)
		return split->symbols;
	for (uint32_t id = 0; id < profile->function_count; id++)
		if (pattern_matches(split->pattern, id)) {
			sampled += id < profile->estimates.count ? profile->estimates.functions[id].samples : 0;
			nameless++;
		}
	if (!nameless)
		require_report_no_function(trace, question->function, split->pattern);
	else
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s '%s': %s", name_of(question), question->function,
			sampled ? "no symbol says where its code begins and ends" : "no sample is in it, only in what it calls");
	return NULL;
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	const struct model_options model = {.want_profile = true,
		.no_tree = true,
		.split = question->function,
		.split_intervals = (uint32_t)((struct split_question *)question)->intervals,
		.thread = question->thread};

	trace->jobs = 1;
	trace->skips_tree_warning = true;
	return trace_read_model(trace, path, &model);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	struct split_question *ask = (struct split_question *)question;
	const struct table_sink *sink;

	ask->symbol = find_symbol(question, trace);
	sink = ask->symbol ? question_get_sink(output, question, trace, NULL) : NULL;
	if (sink)
		analysis_split(ask->symbol, sink);
}

static const struct split_question defaults = {.question = {QUESTION_DEFAULTS}, .intervals = 25};

const struct question_type question_split = {.name = "split",
	.text = "samples: one function in detail, its code in intervals of bytes, each with its share",
	.of_function = true,
	.parameters = split_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.read = read,
	.write = write};
