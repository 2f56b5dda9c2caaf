/* tracing: the options for commands that record calls: which calls, where to, and how much to keep. */
#ifndef DWELL_HOST_CLI_TRACING_H
#define DWELL_HOST_CLI_TRACING_H

#include <stdbool.h>

#include "cli/option.h"
#include "record/session/recording.h"

struct tracing {
	struct recording_options options;
	const char *exclude, *not_list; /* the file of --exclude, or of --not @LIST */
	char *excluded;      /* the text of the list, owned; the filter's patterns point into the text; null: no list */
};

/* Rows for struct tracing, all of the family "tracing". */
extern const struct option_row tracing_rows[];
#define ROWS_TRACING {.kind = OPTION_ROWS, .at = OPTION_AT(tracing), .rows = tracing_rows}
/* option_row.started of options about the trace file: `dwell record --off` writes the file of a process that it started. */
#define TRACING_WRITES_FILE "writes the file"
#define ROW_TRACE_FILE                                                                                                             \
	{"-o", "FILE", OPTION_FILE, OPTION_AT(tracing.options.output),                                                             \
		"write the trace to FILE. Without it: PROGRAM.dwell in this folder; an earlier one becomes PROGRAM.dwell.old", "--output",                     \
		.started = TRACING_WRITES_FILE}

/* Call this after all options are read: reads the list of --not @LIST, and sets what options imply. False with a diag: an option is
 * wrong. */
bool tracing_finish(const struct option_line *line, struct tracing *tracing, struct diag *diag);
void tracing_clear(struct tracing *tracing);
/* For recording_options.on_begin: prints the messages so far. */
void tracing_print_messages(struct diag *diag);

#endif
