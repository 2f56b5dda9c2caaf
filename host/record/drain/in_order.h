/* in_order: a run of slots with its stamps put right, as whoever reads it does: for who follows its calls or adds them up. */
#ifndef DWELL_HOST_RECORD_DRAIN_IN_ORDER_H
#define DWELL_HOST_RECORD_DRAIN_IN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"

/* Of one stream. Zero it before the first use, clear it after the last. */
struct in_order {
	struct dwell_slot_cursor cursor; /* behind what was taken so far */
	uint64_t floor_ticks;            /* of its last enter or exit, as the file would say */
	uint64_t late;                   /* stamps that were put right */
	uint64_t *slots, *ticks;
	size_t slot_capacity, tick_capacity;
};

/* The next run: as it is, or a copy that is in order, of *count slots, which is there until the next time. Without memory it is as it
 * is. */
const uint64_t *in_order_slots(struct in_order *in_order, const uint64_t *slots, uint32_t *count);
void in_order_clear(struct in_order *in_order);

#endif
