/* ordered_by: by which time, --cpu or --wall, the rows of a table are ordered and measured. */
#ifndef DWELL_HOST_CLI_ORDERED_BY_H
#define DWELL_HOST_CLI_ORDERED_BY_H

#include <stdbool.h>

#include "analysis/by.h"
#include "query/trace.h"

/* A line for people, where there is CPU time: what rows are ordered by (the column's title), and the option for the other time.
 * by: which one it is; BY_BEST: none of the two. */
void ordered_by_print(const struct trace *trace, const char *title, enum by by, bool less_error);

#endif
