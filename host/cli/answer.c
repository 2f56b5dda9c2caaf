#include "cli/answer.h"

#include "query/health.h"

void answer_write(struct answer *answer, struct trace *trace)
{
	bool is_text = answer->form == WRITER_TEXT;
	struct output_table out;

	if (!question_check(&answer->question, trace))
		return;
	if (is_text && answer->print_head)
		answer->print_head(trace, &answer->question);
	out = output_begin_table(answer->form, model_get_clock(trace->model), answer->lines ? model_get_functions(trace->model) : NULL,
		answer->full_names, trace->diag);
	question_write(&answer->question, trace, &out.sink);
	if (is_text)
		output_print_rest(&answer->question.rest, answer->question.kind == QUESTION_FUNCTIONS ? "function" : "line");
	if (is_text && answer->print_foot && !diag_has_error(trace->diag))
		answer->print_foot(trace, &answer->question, &out);
	output_end_table(&out);
}

void answer_show(struct answer *answer, struct trace *trace, const char *path)
{
	if (question_read(&answer->question, trace, path)) {
		answer_write(answer, trace);
		health_warn(trace);
	}
	question_clear(&answer->question);
	trace_close(trace);
}
