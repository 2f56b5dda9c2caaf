#include "query/ask/profile.h"

#include "query/require.h"
#include "query/parameter.h"

const struct profile_question profile_defaults = {.question = {QUESTION_DEFAULTS}};

void profile_find_pattern(struct profile_question *ask, struct trace *trace)
{
	if (!ask->pattern)
		ask->pattern = make_pattern(ask->question.function, model_get_functions(trace->model));
}

bool profile_find(struct question *question, struct trace *trace)
{
	struct profile_question *ask = (struct profile_question *)question;

	if (question->type->of_function) {
		profile_find_pattern(ask, trace);
		if (!require_function(trace, question->function, ask->pattern))
			return false;
	}
	return require_time_by(trace, question->by, question->is_option);
}

bool profile_read(struct question *question, struct trace *trace, const char *path, struct model_options model)
{
	model.want_profile = true;
	model.raw = question->raw;
	model.thread = question->thread;
	question_set_span(question, trace);
	return trace_read_model(trace, path, &model) && question_find_in_profile(question, trace);
}

void profile_write(struct question *question, struct trace *trace, const struct question_output *output,
	bool (*write)(struct profile_question *ask, const struct trace *trace, const struct table_sink *sink))
{
	const struct table_sink *sink = question_get_sink(output, question, trace, model_get_clock(trace->model));

	if (sink && !write((struct profile_question *)question, trace, sink))
		question_report_no_memory(trace);
}

bool profile_answer(const struct question_type *type, bool places, struct trace *trace, const struct table_sink *sink)
{
	struct profile_question ask;
	bool has_answer;

	question_begin(&ask.question, type);
	ask.places = places;
	has_answer = question_find_in_profile(&ask.question, trace);
	if (has_answer)
		question_write_to(&ask.question, trace, sink);
	question_clear(&ask.question);
	return has_answer;
}

void profile_clear(struct question *question)
{
	struct profile_question *ask = (struct profile_question *)question;

	free_pattern(ask->pattern);
	relative_shares_clear(&ask->shares);
}
