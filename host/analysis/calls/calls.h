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
/* Rows that were written, and whether one of them had arguments or a return value. */
uint64_t calls_count(const struct calls *calls);
bool calls_have_values(const struct calls *calls);
void calls_end(struct calls *calls);
void free_calls(struct calls *calls);

#endif
