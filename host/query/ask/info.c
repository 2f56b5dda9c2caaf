/* info: the question of dwell info. The answer has a row for each value. */
#include "query/ask/info.h"

#include "query/questions.h"

const struct option_row info_parameters[] = {{0}};

static bool read(struct question *question, struct trace *trace, const char *path)
{
	const struct model_options model = {.want_profile = true, .no_tree = true, .no_durations = true};
	struct facts *facts = &((struct info_question *)question)->facts;

	trace->skips_tree_warning = true;
	if (!trace_open(trace, path, trace->diag) || !trace_make_model(trace, &model, false))
		return false;
	facts_read(facts, trace);
	if (facts->no_memory)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: something is missing here");
	return true;
}

static void write(struct question *question, struct trace *trace, const struct question_output *output)
{
	const struct table_sink *sink = question_get_sink(output, question, trace, model_get_clock(trace->model));

	if (sink)
		facts_write_rows(&((struct info_question *)question)->facts, trace, sink);
}

static void clear(struct question *question)
{
	facts_clear(&((struct info_question *)question)->facts);
}

static const struct info_question defaults = {.question = {0}};

const struct question_type question_info = {.name = "info",
	.text = "what the recording is, and how much of it is there: a row for each value",
	.parameters = info_parameters,
	.bytes = sizeof defaults,
	.defaults = &defaults,
	.read = read,
	.write = write,
	.clear = clear};
