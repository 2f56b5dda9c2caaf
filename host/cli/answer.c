#include "cli/answer.h"

#include <stdio.h>

#include "query/health.h"

static bool is_for_people(const struct answer *answer)
{
	return answer->form == WRITER_TEXT || answer->form == WRITER_MARKDOWN;
}

const struct table_sink *answer_begin_table(struct answer *answer, const struct trace *trace, const struct clock_map *clock)
{
	struct functions *functions = answer->question->lines ? model_get_functions(trace->model) : NULL;

	answer->out = output_begin_table(answer->form, clock, functions, answer->full_names, trace->diag);
	answer->has_out = true;
	return &answer->out.sink;
}

static const struct table_sink *begin(void *context, struct question *question, struct trace *trace, const struct clock_map *clock)
{
	struct answer *answer = context;

	if (is_for_people(answer) && answer->texts->print_head) {
		fputs(answer->form == WRITER_MARKDOWN ? "```text\n" : "", stdout);
		answer->texts->print_head(trace, question);
		fputs(answer->form == WRITER_MARKDOWN ? "```\n\n" : "", stdout);
	}
	return answer_begin_table(answer, trace, clock);
}

static void write_table(struct answer *answer, struct trace *trace)
{
	const struct answer_texts *texts = answer->texts;
	const struct question_output output = {begin, answer};

	question_write(answer->question, trace, &output);
	if (!answer->has_out || !is_for_people(answer))
		return;
	fputs(answer->question->rest.rows && answer->form == WRITER_MARKDOWN ? "\n" : "", stdout); /* else: a row of the table */
	output_print_rest(&answer->question->rest, texts->row ? texts->row : "line");
	if (texts->print_foot && !diag_has_error(trace->diag))
		texts->print_foot(trace, answer->question, &answer->out);
}

void answer_write(struct answer *answer, struct trace *trace)
{
	if (answer->form == WRITER_TEXT && answer->texts->print)
		answer->texts->print(answer, trace);
	else
		write_table(answer, trace);
	if (answer->texts->add_notes)
		answer->texts->add_notes(trace, answer->question);
	if (answer->has_out)
		output_end_table(&answer->out);
}

void answer_show(struct answer *answer, struct trace *trace, const char *path)
{
	if (question_read(answer->question, trace, path)) {
		answer_write(answer, trace);
		if (trace->model)
			health_warn(trace);
	}
	question_clear(answer->question);
	trace_close(trace);
}
