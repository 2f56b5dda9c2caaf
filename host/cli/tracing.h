/* tracing: the options that commands have which record calls: which calls, where and how much is kept. */
#ifndef DWELL_HOST_CLI_TRACING_H
#define DWELL_HOST_CLI_TRACING_H

#include <stdbool.h>

#include "cli/option.h"
#include "record/session/recording.h"

struct tracing {
	struct recording_options options;
	const char *exclude, *not_list; /* the list of --exclude, or of --not @LIST */
	char *excluded;      /* its text */
};

/* Rows of struct tracing, all of the family "tracing". */
extern const struct option_row tracing_rows[];
#define ROWS_TRACING {.kind = OPTION_ROWS, .at = OPTION_AT(tracing), .rows = tracing_rows}
#define ROW_TRACE_FILE                                                                                                             \
	{"-o", "FILE", OPTION_FILE, OPTION_AT(tracing.options.output),                                                             \
		"write the trace to FILE. Without it: PROGRAM.dwell in this folder; an earlier one becomes PROGRAM.dwell.old", "--output"}

/* When all options are read, what follows from them. False and a diag: something is wrong. */
bool tracing_finish(const struct option_line *line, struct tracing *tracing, struct diag *diag);
void tracing_clear(struct tracing *tracing);
/* For recording_options.on_begin: prints what was said so far. */
void tracing_print_now(struct diag *diag);

#endif
