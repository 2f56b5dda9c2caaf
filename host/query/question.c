#include "query/question.h"

#include <string.h>

void question_begin(struct question *question, const struct question_type *type)
{
	memcpy(question, type->defaults, type->bytes);
	question->type = type;
	question->function = type->usual_function;
}

bool question_read(struct question *question, struct trace *trace, const char *path)
{
	return question->type->read(question, trace, path);
}

bool question_find_in_profile(struct question *question, struct trace *trace)
{
	return question->type->find && question->type->find(question, trace);
}

void question_write(struct question *question, struct trace *trace, const struct question_output *output)
{
	question->rest = (struct table_rest){0};
	question->type->write(question, trace, output);
}

static const struct table_sink *get_fixed_sink(
	void *context, struct question *question, struct trace *trace, const struct clock_map *clock)
{
	(void)question, (void)trace, (void)clock;
	return *(const struct table_sink *const *)context;
}

void question_write_to(struct question *question, struct trace *trace, const struct table_sink *sink)
{
	const struct question_output output = {get_fixed_sink, &sink};

	question_write(question, trace, &output);
}

void question_clear(struct question *question)
{
	if (question->type->clear)
		question->type->clear(question);
}

const struct table_sink *question_get_sink(
	const struct question_output *output, struct question *question, struct trace *trace, const struct clock_map *clock)
{
	return output->begin(output->context, question, trace, clock);
}

const char *question_get_option_prefix(const struct question *question)
{
	return question->is_option ? "--" : "";
}

void question_set_span(const struct question *question, struct trace *trace)
{
	trace->span = question->span;
	trace->span_name = question->is_option ? "--time" : "time";
}

bool question_report_no_memory(const struct trace *trace)
{
	diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}
