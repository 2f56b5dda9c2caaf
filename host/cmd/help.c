#include "cmd/help.h"

#include <string.h>

#include "util/near.h"

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
