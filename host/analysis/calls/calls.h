/* calls: single calls as a table that streams, one row for each. In which order is the caller's business: see entry_order.h. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALLS_H
#define DWELL_HOST_ANALYSIS_CALLS_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"

struct calls;

/* The table begins. model is borrowed: its threads, clock and functions; sink until calls_end. limit: rows; UINT64_MAX: all.
 * args: with arguments and what was returned, where calls have them; off: with the time off the CPU. Null when there is no memory. */
struct calls *make_calls(const struct model *model, const struct table_sink *sink, uint64_t limit, bool args, bool off);
void calls_write(struct calls *calls, const struct call *call);
/* No more rows are wanted. */
bool calls_is_done(const struct calls *calls);
/* How many more rows are wanted. */
uint64_t calls_left(const struct calls *calls);
/* Rows that another one wrote for it: at most calls_left. */
void calls_count(struct calls *calls, uint64_t rows);
/* For another thread, that writes rows of the same table to a sink of its own, as many as it likes. calls outlives it. Null when there is
 * no memory. */
struct calls *make_calls_copy(const struct calls *calls, const struct table_sink *sink);
void calls_end(struct calls *calls);
void free_calls(struct calls *calls);

#endif
