/* The command table and nothing else. A new command is a file beside this one, and a row here. */
#include "cli/command.h"

#include <stddef.h>

/* In the order of a first session: what to compile with, record and attach, what shows everything, what is asked of one
 * function, the rest. */
const struct command *const commands[] = {
	&command_cflags,
	&command_record,
	&command_attach,
	&command_snapshot,
	&command_fetch,
	&command_top,
	&command_profile,
	&command_report,
	&command_calls,
	&command_tree,
	&command_callers,
	&command_callees,
	&command_histogram,
	&command_slowest,
	&command_tui,
	&command_diff,
	&command_html,
	&command_export,
	&command_symbols,
	&command_names,
	&command_info,
	&command_dump,
	&command_c6000,
	&command_gperf,
	&command_selftest,
	&command_completion,
	NULL,
};
