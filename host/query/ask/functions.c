/* functions: the question of dwell report. The answer has a row for each function: times for calls, shares for samples. */
#include "query/ask/functions.h"

#include <stdio.h>
#include <string.h>

#include "analysis/functions.h"
#include "analysis/shares.h"
#include "query/require.h"
#include "query/parameter.h"
#include "query/questions.h"

static const char *get_sort_keys(void)
{
	static char keys[320];

	snprintf(keys, sizeof keys, "%s, %s", analysis_functions_sort_keys(true), analysis_shares_sort_keys());
	return keys;
}

const struct option_row functions_parameters[] = {
	{"--sort", "KEY", OPTION_TEXT, offsetof(struct profile_question, sort),
		"sort by function, calls, total, self, min, avg, max, p50 or p99; if CPU time is known, also by "
		"waiting (for a lock, for data), preempted, self_cpu, self_off (both), total_cpu, total_waiting, total_preempted or "
		"total_off; if page faults are recorded, by page_faults or total_page_faults. Without it: self_cpu, or self if CPU time is not known. "
		"Samples: function, samples, self_percent (the default) or total_percent",
		.get_choices = get_sort_keys},
	PARAMETERS_BY(HELP_BY_OF_SUMS), PARAMETER_LIMIT("functions"), PARAMETER_THREAD, PARAMETER_TIME, PARAMETER_LINES, PARAMETER_RAW, {0}};

static const struct profile_question *get_profile_question(const struct question *question)
{
	return (const struct profile_question *)question;
}

static bool can_sort(const char *sort, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);

	if (!model_is_sampled(trace->model))
		return analysis_functions_can_sort(sort, profile->has_times);
	return analysis_shares_can_sort(sort) &&
	       (profile->counts_calls || (strcmp(sort, "calls") != 0 && strcmp(sort, "self_per_call") != 0));
}

/* False with a diag: the table has no column with that key, or the column needs CPU time, which is unknown. */
static bool check_sort(const struct question *question, const char *sort, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	bool is_sampled = model_is_sampled(trace->model);
	const char *problem = model_get_cpu_problem(trace->model), *dashes = question_get_option_prefix(question);

	if (!can_sort(sort, trace)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%ssort '%s': %sexpected one of %s", dashes, sort,
			is_sampled ? "of samples, " : "",
			is_sampled ? analysis_shares_sort_keys() : analysis_functions_sort_keys(profile->has_times));
		return false;
	}
	if (!is_sampled && profile->has_times && !profile->has_faults && analysis_functions_needs_faults(sort)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%ssort '%s': its page faults are not known: dwell record -e "
			"page-faults records them", dashes, sort);
		return false;
	}
	if (is_sampled || !profile->has_times || profile->has_off_cpu || !analysis_functions_needs_cpu(sort))
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%ssort '%s': its CPU time is not known%s%s", dashes, sort,
		*problem ? ": " : "", problem);
	return false;
}

static struct analysis_functions make_analysis(const struct question *question, const struct trace *trace)
{
	return (struct analysis_functions){.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.sort = get_profile_question(question)->sort,
		.by = question->by,
		.limit = question->limit};
}

const char *functions_get_order_title(const struct question *question, const struct trace *trace, enum by *by)
{
	const struct analysis_functions functions = make_analysis(question, trace);

	*by = analysis_functions_ordered_by(&functions);
	return analysis_functions_order(&functions);
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	return profile_read(question, trace, path, (struct model_options){.no_tree = true});
}

static bool write_rows(struct profile_question *ask, const struct trace *trace, const struct table_sink *sink)
{
	struct analysis_functions functions = make_analysis(&ask->question, trace);
	const struct analysis_shares shares = {.profile = functions.profile,
		.functions = functions.functions,
		.sort = ask->sort,
		.limit = ask->question.limit,
		.rest = &ask->question.rest};

	functions.rest = &ask->question.rest;
	return model_is_sampled(trace->model) ? analysis_shares(&shares, sink) : analysis_functions(&functions, sink);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	const char *sort = get_profile_question(question)->sort;

	if ((!sort || check_sort(question, sort, trace)) && require_time_by(trace, question->by, question->is_option))
		profile_write(question, trace, output, write_rows);
}

const struct question_type question_functions = {.name = "functions",
	.text = "where the time went, function by function; of samples their shares",
	.parameters = functions_parameters,
	.read = read,
	.find = profile_find,
	.write = write,
	PROFILE_QUESTION};
