#include "cli/help.h"

#include <stdbool.h>
#include <string.h>

#include "util/near.h"

#define HELP_COLUMNS 80u

static const struct command *const *table;

void help_set_commands(const struct command *const *commands)
{
	table = commands;
}

const struct command *const *help_commands(void)
{
	return table;
}

void help_print_all(const struct command *const *commands, FILE *out)
{
	fputs("dwell tells where a program spends its time, function by function.\n"
	      "\n"
	      "Usage: dwell COMMAND [OPTIONS] ...\n"
	      "\n"
	      "Commands:\n",
		out);
	for (; *commands; commands++)
		fprintf(out, "  %-10s %s\n", (*commands)->name, (*commands)->summary);
	fputs("\n"
	      "dwell COMMAND --help tells more about one; dwell --version names this one.\n"
	      "Exit status: 0 complete; 1 done, but something was lost or skipped; 2 could not.\n",
		out);
}

/* A word of the usage line, or a bracket that has none in it: what is not broken. */
static size_t piece_bytes(const char *text)
{
	bool is_open = false;
	size_t bytes = 0;

	for (; text[bytes] && (text[bytes] != ' ' || is_open); bytes++)
		if (text[bytes] == '[' || text[bytes] == ']')
			is_open = text[bytes] == '[';
	return bytes;
}

static void print_usage(const struct command *command, FILE *out)
{
	size_t indent = (size_t)fprintf(out, "Usage: dwell %s", command->name), column = indent, bytes;

	for (const char *at = command->arguments; *at; at += bytes, at += *at == ' ') {
		bytes = piece_bytes(at);
		if (column + 1 + bytes > HELP_COLUMNS && column > indent)
			column = (size_t)fprintf(out, "\n%*s", (int)indent, "") - 1;
		column += (size_t)fprintf(out, " %.*s", (int)bytes, at);
	}
	putc('\n', out);
}

void help_print(const struct command *command, FILE *out)
{
	size_t bytes = strlen(command->help);

	print_usage(command, out);
	fprintf(out, "\n%s.\n\n%s", command->summary, command->help);
	if (bytes && command->help[bytes - 1] != '\n')
		putc('\n', out);
}

const struct command *help_nearest(const struct command *const *commands, const char *typed)
{
	const struct command *nearest = NULL;
	size_t letters = strlen(typed), best = letters < 3 ? letters : 3; /* at most two letters wrong, and not all of them */

	for (; *commands; commands++) {
		size_t far = near_distance(typed, (*commands)->name);

		if (*typed && !strncmp((*commands)->name, typed, letters))
			far = 1; /* the beginning of its name */
		if (far < best) {
			best = far;
			nearest = *commands;
		}
	}
	return nearest;
}
