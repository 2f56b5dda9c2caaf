#include "cmd/help.h"

#include <stdint.h>
#include <string.h>

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
	      "dwell COMMAND --help tells more about one of them; dwell --version names this one.\n"
	      "Exit status: 0 complete; 1 done, but something was lost or skipped; 2 could not.\n",
		out);
}

void help_print(const struct command *command, FILE *out)
{
	size_t bytes = strlen(command->help);

	fprintf(out, "Usage: dwell %s %s\n\n%s.\n\n%s", command->name, command->arguments, command->summary, command->help);
	if (bytes && command->help[bytes - 1] != '\n')
		putc('\n', out);
}

#define NAME_BYTES_MAX 32

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, delete or replace to make one word of the other. Longer words than any command are far from all. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_BYTES_MAX + 1], a_bytes = strlen(a), b_bytes = strlen(b);

	if (a_bytes > NAME_BYTES_MAX || b_bytes > NAME_BYTES_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= b_bytes; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_bytes; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_bytes; j++) {
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[b_bytes];
}

const struct command *help_nearest(const struct command *const *commands, const char *typed)
{
	const struct command *nearest = NULL;
	size_t best = least(strlen(typed), 3); /* at most two letters wrong, and not all of them */

	for (; *commands; commands++) {
		size_t far = distance(typed, (*commands)->name);

		if (*typed && !strncmp((*commands)->name, typed, strlen(typed)))
			far = 1; /* the beginning of its name */
		if (far < best) {
			best = far;
			nearest = *commands;
		}
	}
	return nearest;
}
