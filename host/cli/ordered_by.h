/* ordered_by: a line with the time, CPU or wall-clock, by which a table is sorted. */
#ifndef DWELL_HOST_CLI_ORDERED_BY_H
#define DWELL_HOST_CLI_ORDERED_BY_H

#include <stdbool.h>

#include "analysis/by.h"
#include "query/trace.h"

/* Prints the line, if the recording has CPU time: the title of the column that sorts, and the option to sort by the other time.
 * by: the time in that column; BY_BEST: the column is no time. */
void ordered_by_print(const struct trace *trace, const char *title, enum by by);

#endif
