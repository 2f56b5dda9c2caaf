/* which: --cpu and --wall, one word for all commands: by which time they order and measure. */
#ifndef DWELL_HOST_CLI_WHICH_H
#define DWELL_HOST_CLI_WHICH_H

#include <stdbool.h>

#include "analysis/by.h"
#include "query/trace.h"

/* For sums over calls. */
#define WHICH_HELP                                                                                                                 \
	"  --cpu, --wall  by time on the CPU, or by the clock, waiting included; without\n"                                        \
	"                 it by --cpu where the trace knows it\n"

/* For single calls. */
#define WHICH_HELP_CALLS                                                                                                           \
	"  --cpu, --wall  by time on the CPU, without what a call waited or was preempted\n"                                       \
	"                 for; or by the clock, the default\n"

/* A line for people, where there is CPU time: what rows are ordered by (the column's title), and the option for the other time.
 * by: which one it is; BY_BEST: none of the two. */
void which_print(const struct trace *trace, const char *title, enum by by);

#endif
