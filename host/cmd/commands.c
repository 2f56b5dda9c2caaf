/* commands: the table of commands. A new command is a file in this folder, and a row here. */
#include "classic/host/doors.h"
#include "cli/command.h"

#include <stddef.h>

/* Grouped by task; within a task, the commands for a first session come first. */
const struct command *const commands[] = {
	&command_cflags,
	&command_record,
	&command_attach,
	&command_snapshot,
	&command_top,
	&command_report,
	&command_tree,
	&command_callers,
	&command_callees,
	&command_calls,
	&command_slowest,
	&command_histogram,
	&command_info,
	&command_tui,
	&command_diff,
	&command_html,
	&command_export,
	&command_fetch,
	&command_names,
	&command_gperf,
	&command_c6000,
	&command_profile,
	&command_symbols,
	&command_dump,
	&command_completion,
	NULL,
};
