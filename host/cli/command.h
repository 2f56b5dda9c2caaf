/* command: one row of the table in cmd/commands.c. Each command is one file: options → pipeline. */
#ifndef DWELL_HOST_CLI_COMMAND_H
#define DWELL_HOST_CLI_COMMAND_H

#include "util/diag.h"

/* The task that a command is for: `dwell --help` lists commands by it. */
enum command_task {
	TASK_RECORD,
	TASK_LOOK,
	TASK_COMPARE, /* and export */
	TASK_TARGETS,
	TASK_OLDER, /* older profilers */
	TASK_TOOLS,
};

/* What shells complete behind the options. */
enum operand_kind {
	OPERANDS_FILES,
	OPERANDS_PROGRAM, /* a program to run, then its arguments: options end in front of it */
	OPERANDS_OTHER,   /* neither: one of operand_choices, or what nobody can guess */
};

struct command {
	const char *name;
	const char *operands; /* what is behind the options: "FUNC FILE" */
	const char *summary;  /* one line */
	const struct option_row *options; /* ends with an empty row (option.h); null: none */
	const char *about;    /* what to know, behind the options of the help; lines of 80 columns */
	/* argv[0] is the command's name. Returns the exit status where the command decides it (record passes on the program's), or
	 * COMMAND_BY_DIAG for 0, 1, 2 by the diag, or COMMAND_KILLED plus a signal: main ends by that signal. Never exits. */
	int (*run)(int argc, char **argv, struct diag *diag);
	enum operand_kind operand_kind;
	const char *operand_choices; /* "bash, zsh or fish"; null: any */
	enum command_task task;
	const char *examples; /* two lines, each a command and what it does */
};
#define COMMAND_BY_DIAG (-1)
#define COMMAND_KILLED 256

/* All of them, by task; ends with null. */
extern const struct command *const commands[];

extern const struct command command_cflags, command_record, command_attach, command_snapshot, command_fetch, command_top,
	command_profile, command_report, command_calls, command_tree, command_callers, command_callees, command_histogram,
	command_slowest, command_tui, command_diff, command_html, command_export, command_symbols, command_names, command_info,
	command_dump, command_c6000, command_gperf, command_completion;

#endif
