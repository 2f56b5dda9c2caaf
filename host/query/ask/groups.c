/* groups: the answer has a row for each module, thread, process or source file. */
#include "query/ask/groups.h"

#include <string.h>

#include "analysis/groups.h"
#include "query/parameter.h"
#include "query/questions.h"
#include "query/require.h"

const struct option_row groups_parameters[] = {
	PARAMETER_GROUP(offsetof(struct groups_question, group)),
	PARAMETERS_BY(HELP_BY_OF_SUMS),
	PARAMETER_LIMIT("groups"),
	PARAMETER_THREAD,
	PARAMETER_TIME,
	PARAMETER_RAW,
	{0}};

static enum group_key get_key(const struct question *question)
{
	static const char *const keys[] = {
		[GROUP_MODULE] = "module", [GROUP_THREAD] = "thread", [GROUP_PROCESS] = "process", [GROUP_SOURCE] = "source"};
	enum group_key key = GROUP_MODULE;

	while (key < GROUP_SOURCE && strcmp(keys[key], ((const struct groups_question *)question)->group) != 0)
		key++;
	return key;
}

/* False with a diag: the file is of sums, which no thread has. */
static bool require_threads(const struct trace *trace, const struct question *question)
{
	if (get_key(question) == GROUP_MODULE || get_key(question) == GROUP_SOURCE || model_get_profile(trace->model)->thread_count)
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%sgroup %s: the file does not say which thread ran what",
		question_get_option_prefix(question), ((const struct groups_question *)question)->group);
	return false;
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	const struct model_options model = {
		.want_profile = true, .no_tree = true, .no_durations = true, .raw = question->raw, .thread = question->thread};

	trace->skips_tree_warning = true;
	question_set_span(question, trace);
	return trace_read_model(trace, path, &model) && require_threads(trace, question) &&
	       require_time_by(trace, question->by, question->is_option);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	const struct table_sink *sink = question_get_sink(output, question, trace, model_get_clock(trace->model));
	struct analysis_groups groups = {.model = trace->model,
		.key = get_key(question),
		.by = question->by,
		.limit = question->limit,
		.rest = &question->rest};

	if (!sink)
		return;
	groups.lines = groups.key == GROUP_SOURCE ? make_lines(model_get_functions(trace->model), trace->diag) : NULL;
	if (!analysis_groups(&groups, sink))
		question_report_no_memory(trace);
	free_lines(groups.lines);
}

static const struct groups_question defaults = {.question = {QUESTION_DEFAULTS}, .group = "module"};

const struct question_type question_groups = {.name = "groups",
	.text = "self times added up by module, thread, process or source file",
	.parameters = groups_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.read = read,
	.write = write};
