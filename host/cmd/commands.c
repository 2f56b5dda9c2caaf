/* The command table and nothing else. A new command is a file beside this one, and a row here. */
#include "cli/command.h"

#include <stddef.h>

/* By task, and in each task what a first session needs comes first. */
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
