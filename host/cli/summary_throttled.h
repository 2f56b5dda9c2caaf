/* summary_throttled: the functions that --throttle stopped recording, in the head of a report. */
#ifndef DWELL_HOST_CLI_SUMMARY_THROTTLED_H
#define DWELL_HOST_CLI_SUMMARY_THROTTLED_H

#include <stdio.h>

#include "query/trace.h"

/* first_ticks: when the recording began. Prints nothing if no function was throttled. */
void summary_print_throttled(const struct trace *trace, uint64_t first_ticks, FILE *out);

#endif
