/* durations: the question of dwell histogram. The answer has a row for each range of wall-clock durations of a function's calls. */
#include "query/require.h"
#include "query/ask/profile.h"
#include "query/parameter.h"
#include "query/questions.h"

const struct option_row durations_parameters[] = {PARAMETER_THREAD, {0}};

static bool find(struct question *question, struct trace *trace)
{
	return profile_find(question, trace) && require_durations(trace);
}

static bool read(struct question *question, struct trace *trace, const char *path)
{
	return profile_read(question, trace, path, (struct model_options){0});
}

static bool write_rows(struct profile_question *ask, const struct trace *trace, const struct table_sink *sink)
{
	ask->durations = (struct analysis_distribution){
		.profile = model_get_profile(trace->model), .clock = model_get_clock(trace->model), .pattern = ask->pattern};
	return analysis_distribution(&ask->durations, sink);
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	profile_write(question, trace, output, write_rows);
}

const struct question_type question_durations = {.name = "durations",
	.text = "how long the calls of a function took",
	.of_function = true,
	.parameters = durations_parameters,
	.read = read,
	.find = find,
	.write = write,
	PROFILE_QUESTION};
