#include "cli/help_options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "reader/reader.h"

static bool is_name(char c)
{
	return islower((unsigned char)c) || isupper((unsigned char)c) || isdigit((unsigned char)c) || c == '-';
}

/* Where a word of the usage line begins that is an option: at its start, or behind a blank or a bracket. */
static const char *find(const char *from, const char *begin)
{
	for (; *from; from++)
		if (*from == '-' && (from == begin || from[-1] == ' ' || from[-1] == '[') && is_name(from[1]) && strncmp(from, "--]", 3) &&
			(from[1] != '-' || is_name(from[2])))
			return from;
	return NULL;
}

/* The line of the help that begins with it, or has it behind a comma: what is behind the name and the value, there or in the lines
 * below. */
static void find_text(const struct command *command, struct help_option *option)
{
	size_t bytes = strlen(option->name);

	for (const char *line = command->help; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = line + 2, *end = line + strcspn(line, "\n");

		if (strncmp(line, "  -", 3))
			continue;
		while (strncmp(at, option->name, bytes) || is_name(at[bytes])) {
			at += strcspn(at, ", \n");
			if (strncmp(at, ", ", 2))
				break;
			at += 2;
		}
		if (strncmp(at, option->name, bytes) || is_name(at[bytes]))
			continue;
		option->text = end - line > HELP_TEXT_COLUMN && line[HELP_TEXT_COLUMN - 1] == ' ' ? line + HELP_TEXT_COLUMN : end;
		for (; *end && strspn(end + 1, " ") == HELP_TEXT_COLUMN; end += 1 + strcspn(end + 1, "\n"))
			continue;
		option->text += strspn(option->text, " \n");
		option->text_bytes = option->text < end ? (size_t)(end - option->text) : 0;
		return;
	}
}

/* Whether the usage line has it in an earlier alternative. */
static bool is_repeated(const char *option, const char *arguments)
{
	size_t bytes = 0;

	while (is_name(option[bytes]))
		bytes++;
	for (const char *at = find(arguments, arguments); at && at < option; at = find(at + 1, arguments))
		if (!strncmp(at, option, bytes) && !is_name(at[bytes]))
			return true;
	return false;
}

bool help_option_next(const struct command *command, const char **at, struct help_option *option)
{
	const char *from = find(*at ? *at : command->arguments, command->arguments);
	size_t bytes = 0;

	*option = (struct help_option){0};
	while (from && is_repeated(from, command->arguments))
		from = find(from + 1, command->arguments);
	if (!from)
		return false;
	while (is_name(from[bytes]))
		bytes++;
	snprintf(option->name, sizeof option->name, "%.*s", (int)bytes, from);
	from += bytes;
	option->is_optional = !strncmp(from, "[=", 2);
	option->is_attached = option->is_optional || *from == '=';
	from += option->is_optional ? 2 : option->is_attached || *from == ' ';
	for (bytes = 0; isupper((unsigned char)from[bytes]);)
		bytes++;
	if (bytes)
		snprintf(option->value, sizeof option->value, "%.*s", (int)bytes, from);
	*at = from + bytes;
	find_text(command, option);
	return true;
}

const char *help_option_values(const struct command *command, const struct help_option *option)
{
	const char *values = command->get_values ? command->get_values(option->name) : NULL;

	if (values || !*option->value)
		return values;
	if (!strcmp(option->name, "--format"))
		return READER_FORMATS;
	return !strcmp(option->value, "FILE") || !strcmp(option->value, "LIST") || !strcmp(option->name, "-o") ? "FILE" : NULL;
}

const char *help_operands(const struct command *command)
{
	const char *operands = command->arguments, *at = NULL;
	struct help_option option;

	while (help_option_next(command, &at, &option))
		operands = at;
	return operands + strspn(operands, " ]|");
}
