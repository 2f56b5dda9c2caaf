/* question_command: a command that consists of one question. Its options are the question's parameters, and the form of the answer.
 *
 *     static const struct option_row rows[] = {ROWS_QUESTION(tree_parameters), ROWS_FORM("columns: …"), {0}};
 *     static const struct answer_texts texts = {.print_head = print_head};
 *
 *     static int run(int argc, char **argv, struct diag *diag)
 *     {
 *             return question_command(&command_tree, &question_tree, &texts, argc, argv, diag);
 *     } */
#ifndef DWELL_HOST_CLI_QUESTION_COMMAND_H
#define DWELL_HOST_CLI_QUESTION_COMMAND_H

#include "cli/answer.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "query/questions.h"

/* The options of a command that is only a question. */
struct options {
	struct input_options input;
	const char *path;
	enum writer_form form;
	uint64_t jobs;
	bool full_names;
	struct question question[]; /* memory for the question's own struct, which begins with struct question */
};

#define ROWS_QUESTION(parameters) \
	{.kind = OPTION_ROWS, .at = OPTION_AT(question), .rows = parameters}, ROW_JOBS, ROWS_INPUT, ROW_FULL_NAMES

/* Implements command.run: reads the options, and shows the answer. texts: the command's additions. */
int question_command(const struct command *command, const struct question_type *type, const struct answer_texts *texts, int argc,
	char **argv, struct diag *diag);

#endif
