/* which: --cpu and --wall, one word for all commands: by which time they order and measure. */
#ifndef DWELL_HOST_CMD_WHICH_H
#define DWELL_HOST_CMD_WHICH_H

#include <stdbool.h>

#include "analysis/by.h"
#include "cmd/trace.h"

/* For sums over calls. */
#define WHICH_HELP                                                                                                                 \
	"  --cpu, --wall  by time on the CPU, or by the clock, waiting included; without\n"                                        \
	"                 it by --cpu where the trace knows it\n"

/* For single calls. */
#define WHICH_HELP_CALLS                                                                                                           \
	"  --cpu, --wall  by time on the CPU, without what a call waited or was preempted\n"                                       \
	"                 for; or by the clock, the default\n"

/* When the trace is read. False and a diag: --cpu, and it is not known; or one of the two, of samples: these are of one time. */
bool which_check(const struct trace *trace, enum by by);

/* A line for people, where there is CPU time: what rows are ordered by (the column's title), and the option for the other time.
 * by: which one it is; BY_BEST: none of the two. */
void which_print(const struct trace *trace, const char *title, enum by by);

#endif
