/* calls: the table of `dwell calls`: a row for each call, written at once. The caller passes the calls in the order of the table;
 * entry_order.h gives them in order of entry. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALLS_H
#define DWELL_HOST_ANALYSIS_CALLS_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"

struct calls;

/* Begins the table. model is borrowed, with its threads, clock and functions; sink until calls_end. limit: number
 * of rows; UINT64_MAX: all. args: with arguments and return values, where calls have them. off: with time off the
 * CPU. Null: memory ran out. */
struct calls *make_calls(
	const struct model *model, const struct table_sink *sink, uint64_t limit, bool args, bool off, bool has_faults);
void calls_write(struct calls *calls, const struct call *call);
/* True once the table needs no more rows. */
bool calls_is_done(const struct calls *calls);
/* Number of rows written; and whether any row had arguments or a return value. */
uint64_t calls_count(const struct calls *calls);
bool calls_have_values(const struct calls *calls);
void calls_end(struct calls *calls);
void free_calls(struct calls *calls);

#endif
