/* command: a row of the table in cmd/commands.c. Each command is a file: options → pipeline. */
#ifndef DWELL_HOST_CLI_COMMAND_H
#define DWELL_HOST_CLI_COMMAND_H

#include "util/diag.h"

/* The task of a command. `dwell --help` groups commands by task. */
enum command_task {
	TASK_RECORD,
	TASK_LOOK,
	TASK_COMPARE, /* also export to other tools */
	TASK_TARGETS, /* for programs on other machines */
	TASK_OLDER, /* older profilers */
	TASK_TOOLS,
};

/* The words after the options, as shells complete them. */
enum operand_kind {
	OPERANDS_FILES,
	OPERANDS_PROGRAM, /* a program to run, then its arguments; dwell's own options end before the program */
	OPERANDS_OTHER,   /* one of operand_choices; or a word that shells cannot complete, such as a PID */
};

struct command {
	const char *name;
	const char *operands; /* the words after the options: "FUNC FILE" */
	const char *summary;  /* one line */
	const struct option_row *options; /* ends with an empty row (option.h); null: none */
	const char *about;    /* background, printed after the options in the help; lines of 80 columns */
	/* argv[0] is the command's name. Returns the exit status if the command decides on it (record passes on the
	 * program's). Returns COMMAND_BY_DIAG for status 0, 1 or 2 by the diag, or COMMAND_KILLED plus a signal: main then
	 * ends by that signal. Never exits. */
	int (*run)(int argc, char **argv, struct diag *diag);
	enum operand_kind operand_kind;
	const char *operand_choices; /* "bash, zsh or fish"; null: any word */
	enum command_task task;
	const char *examples; /* two lines, each with a command and its effect */
};
#define COMMAND_BY_DIAG (-1)
#define COMMAND_KILLED 256

/* All commands, grouped by task; ends with null. */
extern const struct command *const commands[];

extern const struct command command_cflags, command_record, command_attach, command_snapshot, command_top,
	command_report, command_calls, command_tree, command_callers, command_callees, command_histogram,
	command_slowest, command_tui, command_diff, command_html, command_export, command_symbols, command_names, command_info,
	command_dump, command_completion;

#endif
