/* summary: what was recorded and how much of it is there, in a few lines above a report. */
#ifndef DWELL_HOST_CLI_SUMMARY_H
#define DWELL_HOST_CLI_SUMMARY_H

#include <stdio.h>

#include "cli/summary_name.h"
#include "query/trace.h"

/* The lines: program, duration, counts, the accounting, and either that all is well or what is not. */
void summary_print(const struct trace *trace, FILE *out);

/* A note, if calls are missing in a list of calls since they were only counted. */
void summary_note_counted(const struct trace *trace);

#endif
