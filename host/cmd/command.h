/* command: one row of the table in main.c. Each command is one file: options → pipeline. */
#ifndef DWELL_HOST_CMD_COMMAND_H
#define DWELL_HOST_CMD_COMMAND_H

#include "util/diag.h"

struct command {
	const char *name;
	const char *arguments; /* "[-o FILE] [--] PROGRAM [ARGUMENTS]" */
	const char *summary;   /* one line */
	const char *help;      /* the options, a line each, and what to know */
	/* argv[0] is the command's name. Returns the exit status where the command decides it (record passes on the program's), or
	 * COMMAND_BY_DIAG for 0, 1, 2 by the diag, or COMMAND_KILLED plus a signal: main ends by that signal. Never exits. */
	int (*run)(int argc, char **argv, struct diag *diag);
};
#define COMMAND_BY_DIAG (-1)
#define COMMAND_KILLED 256

extern const struct command command_cflags, command_record, command_attach, command_snapshot, command_top, command_profile,
	command_report, command_calls, command_tree, command_callers, command_callees, command_histogram, command_slowest, command_diff,
	command_symbols, command_info, command_dump, command_selftest;

#endif
