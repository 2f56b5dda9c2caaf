/* perf_refusal: explains why the kernel refuses perf events, and gives a remedy. */
#ifndef DWELL_HOST_RECORD_PROGRAM_PERF_REFUSAL_H
#define DWELL_HOST_RECORD_PROGRAM_PERF_REFUSAL_H

#include <stdbool.h>

/* error: errno of the failed call. mapping: the failed call mapped the buffer; else it was perf_event_open.
 * why: receives a line for people. */
void perf_refusal_explain(int error, bool mapping, char why[static 160]);

#endif
