/* summary: what a recording contains and how complete it is, in a few lines above a report. */
#ifndef DWELL_HOST_CLI_SUMMARY_H
#define DWELL_HOST_CLI_SUMMARY_H

#include <stdio.h>

#include "cli/summary_name.h"
#include "query/trace.h"

/* Prints program, duration, counts, the accounting, and either that the recording is complete, or its problems. */
void summary_print(const struct trace *trace, FILE *out);

/* Adds a note if a list of calls lacks calls that were only counted. */
void summary_note_counted(const struct trace *trace);

#endif
