#include "cli/question_command.h"

#include <stdlib.h>

#include "cli/option.h"

/* Reads the command line. False with a diag, or after --help. */
static bool read_line(const struct command *command, struct options *options, int argc, char **argv, struct diag *diag)
{
	struct question *question = options->question;
	const char *problem;

	if (question->type->of_function
			? !option_read_function(command, options, argc, argv, &question->function, &options->path, diag)
			: !option_read_file(command, options, argc, argv, &options->path, diag))
		return false;
	problem = question->type->check ? question->type->check(question) : NULL;
	return !problem || option_refuse(command, problem, diag);
}

int question_command(const struct command *command, const struct question_type *type, const struct answer_texts *texts, int argc,
	char **argv, struct diag *diag)
{
	struct options *options = calloc(1, sizeof *options + type->bytes);
	struct trace trace = {.diag = diag};
	struct answer answer = {.texts = texts};

	if (!options) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return COMMAND_BY_DIAG;
	}
	answer.question = options->question;
	question_begin(answer.question, type);
	answer.question->is_option = true;
	if (read_line(command, options, argc, argv, diag)) {
		trace.input = options->input;
		trace.jobs = options->jobs;
		answer.form = options->form;
		answer.full_names = options->full_names;
		answer_show(&answer, &trace, options->path);
	}
	free(options);
	return COMMAND_BY_DIAG;
}
