/* functions: where the time went, function by function. */
#ifndef DWELL_HOST_QUERY_ASK_FUNCTIONS_H
#define DWELL_HOST_QUERY_ASK_FUNCTIONS_H

#include "query/ask/profile.h"

/* For traces: the title of the column that the functions are sorted by. Sets *by to the column's time, CPU or wall-clock; BY_BEST:
 * the column is no time. */
const char *functions_get_order_title(const struct question *question, const struct trace *trace, enum by *by);

#endif
