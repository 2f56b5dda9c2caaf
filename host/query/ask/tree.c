/* tree: the question of dwell tree. The answer has a row for each call path, in preorder: a path, then all paths below. */
#include "analysis/tree.h"

#include "query/require.h"
#include "query/ask/profile.h"
#include "query/parameter.h"
#include "query/questions.h"

const struct option_row tree_parameters[] = {PARAMETERS_BY(HELP_BY_OF_SUMS), PARAMETER_LIMIT("lines"), PARAMETER_DEPTH("only N levels", .low = 1),
	PARAMETER_MIN("leave out paths with less than PERCENT of the whole time"), PARAMETER_THREAD, PARAMETER_TIME, PARAMETER_LINES, PARAMETER_RAW, {0}};

static bool read(struct question *question, struct trace *trace, const char *path)
{
	return profile_read(question, trace, path, (struct model_options){.no_durations = true});
}

static bool write_rows(struct profile_question *ask, const struct trace *trace, const struct table_sink *sink)
{
	const struct question *question = &ask->question;
	bool is_whole = question->limit == UINT64_MAX && question->depth_limit == UINT64_MAX && question->percent_min <= 0;
	const struct analysis_tree tree = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.limit = question->limit,
		.depth_limit = question->depth_limit,
		.percent_min = question->percent_min,
		.sums = is_whole,
		.places = ask->places,
		.rest = &ask->question.rest,
		.by = question->by};

	return analysis_tree(&tree, sink);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	if (require_time_by(trace, question->by, question->is_option))
		profile_write(question, trace, output, write_rows);
}

const struct question_type question_tree = {.name = "tree",
	.text = "where the time went, call path by call path",
	.parameters = tree_parameters,
	.read = read,
	.find = profile_find,
	.write = write,
	PROFILE_QUESTION};
