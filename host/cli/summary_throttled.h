/* summary_throttled: which functions were not recorded any more from some moment on, in the head of a report. */
#ifndef DWELL_HOST_CLI_SUMMARY_THROTTLED_H
#define DWELL_HOST_CLI_SUMMARY_THROTTLED_H

#include <stdio.h>

#include "query/trace.h"

/* first_ticks: when the recording began. Nothing where there are none. */
void summary_print_throttled(const struct trace *trace, uint64_t first_ticks, FILE *out);

#endif
