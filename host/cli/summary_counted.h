/* summary_counted: the event that a report shows, of several that the file counts. */
#ifndef DWELL_HOST_CLI_SUMMARY_COUNTED_H
#define DWELL_HOST_CLI_SUMMARY_COUNTED_H

#include <stdio.h>

#include "query/trace.h"

/* Prints " (cycles; also in the file: instructions)". Prints nothing if the file has one event. */
void summary_print_counted(const struct trace *trace, FILE *out);

#endif
