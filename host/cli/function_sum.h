/* function_sum: what is known of one function, or of those that a pattern means, in a line above a table about it. */
#ifndef DWELL_HOST_CLI_FUNCTION_SUM_H
#define DWELL_HOST_CLI_FUNCTION_SUM_H

#include <stdio.h>

#include "model/function/pattern.h"
#include "query/trace.h"

/* Which functions, how many calls, how long. */
void function_sum_print(const struct trace *trace, const char *function, struct pattern *pattern, FILE *out);

#endif
