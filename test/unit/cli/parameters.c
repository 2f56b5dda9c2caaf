/* Every option of a command that asks is a parameter of the question, in dwell/read.h, too; or one of the recording, or of how it
 * looks. */
#include <string.h>

#include "check.h"
#include "cli/command.h"
#include "dwell/read.h"
#include "option/option_row.h"

/* How the answer looks, and what is made of it beside: it is no other answer. */
static const char looks[] = "--all --csv --json --markdown --color --full-names --folded --write-exclude --fail-over";
/* Of the file: members of struct dwell_read_options. */
static const char of_file[] = "--program --format --hz --event --globals-only --jobs";

static const struct {
	const struct command *command;
	const char *questions; /* with blanks between */
} pairs[] = {{&command_report, "functions groups split times"}, {&command_tree, "tree"}, {&command_callers, "callers"}, {&command_callees, "callees"},
	{&command_histogram, "durations"}, {&command_slowest, "slowest"}, {&command_calls, "calls"}, {&command_info, "info"},
	{&command_diff, "diff"}};

static const struct dwell_parameter_info *find(const struct dwell_question *question, const char *name)
{
	for (size_t i = 0; i < question->parameter_count; i++)
		if (!strcmp(question->parameters[i].name, name))
			return &question->parameters[i];
	return NULL;
}

/* --split FUNC of report is the function of the question of that name. */
static bool is_parameter(const struct option_row *row, const char *questions)
{
	const struct dwell_question *question;

	for (size_t i = 0; (question = dwell_read_question(i)); i++)
		if (option_has_word(questions, question->name) &&
			(find(question, row->parameter ? row->parameter : row->name + 2) || !strcmp(question->name, row->name + 2)))
			return true;
	return false;
}

TEST(of_commands)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct option_row rows[OPTION_ROWS_MAX];
		size_t count = option_list(pairs[i].command->options, rows);

		CHECK(count);
		for (size_t k = 0; k < count; k++)
			if (!option_has_word(looks, rows[k].name) && !option_has_word(of_file, rows[k].name) &&
				!is_parameter(&rows[k], pairs[i].questions)) {
				printf("# %s %s\n", pairs[i].command->name, rows[k].name);
				CHECK(!"a parameter");
			}
	}
}

/* And each question has a command here, and each parameter a text that tells what it may be. */
TEST(of_the_library)
{
	const struct dwell_question *question;

	for (size_t i = 0; (question = dwell_read_question(i)); i++) {
		bool has_command = false;

		for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
			has_command |= option_has_word(pairs[k].questions, question->name);
		if (!has_command)
			printf("# %s: of which command? a line in pairs\n", question->name);
		CHECK(has_command);
		for (size_t k = 0; k < question->parameter_count; k++)
			CHECK(*question->parameters[k].name && *question->parameters[k].text);
		if (find(question, "by") && strcmp(question->name, "diff"))
			CHECK(!strncmp(find(question, "by")->text, "cpu or wall: ", 13));
	}
}

int main(void)
{
	RUN(of_commands);
	RUN(of_the_library);
	return tap_done();
}
