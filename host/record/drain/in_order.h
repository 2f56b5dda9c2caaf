/* in_order: corrects the stamps of a batch of slots as readers do, for code that follows or sums calls. */
#ifndef DWELL_HOST_RECORD_DRAIN_IN_ORDER_H
#define DWELL_HOST_RECORD_DRAIN_IN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"

/* For one stream. Zero the struct before the first use, and clear the struct after the last use. */
struct in_order {
	struct dwell_slot_cursor cursor; /* the state behind the slots taken so far */
	uint64_t floor_ticks;            /* the time of the last enter or exit, as in the file */
	uint64_t late;                   /* corrected stamps */
	uint64_t *slots, *ticks;
	size_t slot_capacity, tick_capacity;
};

/* Returns the batch, if its times rise, or a corrected copy, valid until the next call. Sets *count to
 * the number of slots in the copy. Without memory, returns the batch uncorrected. */
const uint64_t *in_order_correct(struct in_order *in_order, const uint64_t *slots, uint32_t *count);
void in_order_clear(struct in_order *in_order);

#endif
