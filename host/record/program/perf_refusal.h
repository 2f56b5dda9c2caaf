/* perf_refusal: why the kernel gives no perf events, and what helps. */
#ifndef DWELL_HOST_RECORD_PROGRAM_PERF_REFUSAL_H
#define DWELL_HOST_RECORD_PROGRAM_PERF_REFUSAL_H

#include <stdbool.h>

/* error: errno of what failed; mapping: that was the memory. A line for people. */
void perf_refusal_explain(int error, bool mapping, char why[static 160]);

#endif
