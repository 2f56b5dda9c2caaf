/* function_sum: prints the line above the tables of dwell callers, callees and histogram: the sums of the function, or of all
 * functions that match the pattern. */
#ifndef DWELL_HOST_CLI_FUNCTION_SUM_H
#define DWELL_HOST_CLI_FUNCTION_SUM_H

#include <stdio.h>

#include "model/function/pattern.h"
#include "query/trace.h"

/* Prints what stands behind the name: the number of functions if there are more, of calls, and the times. */
void function_sum_print(const struct trace *trace, struct pattern *pattern, FILE *out);

#endif
