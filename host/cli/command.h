/* command: one row of the table in main.c. Each command is one file: options → pipeline. */
#ifndef DWELL_HOST_CLI_COMMAND_H
#define DWELL_HOST_CLI_COMMAND_H

#include "util/diag.h"

struct command {
	const char *name;
	const char *arguments; /* "[-o FILE] [--] PROGRAM [ARGUMENTS]" */
	const char *summary;   /* one line */
	const char *help;      /* the options, a line each, and what to know */
	/* argv[0] is the command's name. Returns the exit status where the command decides it (record passes on the program's), or
	 * COMMAND_BY_DIAG for 0, 1, 2 by the diag, or COMMAND_KILLED plus a signal: main ends by that signal. Never exits. */
	int (*run)(int argc, char **argv, struct diag *diag);
	/* For shells: what a value of the option ("--sort") is one of, words with blanks, commas or "or" between; of "", what is behind the
	 * options. Null: it is not one of a few. Null where no option has such values. */
	const char *(*get_values)(const char *option);
};
#define COMMAND_BY_DIAG (-1)
#define COMMAND_KILLED 256

/* Out of machines that have no files. */
extern const struct command command_fetch;
extern const struct command command_gperf;

extern const struct command command_cflags, command_record, command_attach, command_snapshot, command_top, command_profile,
	command_report, command_calls, command_tree, command_callers, command_callees, command_histogram, command_slowest,
	command_tui, command_diff, command_html, command_export, command_symbols, command_names, command_info, command_dump,
	command_c6000, command_selftest, command_completion;

#endif
