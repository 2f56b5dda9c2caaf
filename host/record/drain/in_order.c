/* in_order: copies a batch of slots with rising times, if its times do not rise already. */
#include "record/drain/in_order.h"

#include <stdlib.h>

#include "core/stamps.h"
#include "util/array.h"

/* Whether the slots need no correction. A short loop, since it runs over all slots. */
static bool is_in_order(struct in_order *in_order, const uint64_t *slots, uint32_t count)
{
	uint64_t high = (uint64_t)in_order->cursor.high << 32, last = in_order->floor_ticks, event_ticks = last;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t low = (uint32_t)slots[i];
		uint64_t ticks = high | slots[i] >> 32;

		if (low >= DWELL_TAG_LIMIT) {
			event_ticks = ticks;
		} else if (low == DWELL_TAG_TIME) {
			high = slots[i] >> 32 << 32;
			continue;
		} else if (!dwell_slot_tag_has_stamp(low)) {
			continue;
		}
		if (ticks < last)
			return false;
		last = ticks;
	}
	in_order->floor_ticks = event_ticks;
	in_order->cursor.high = (uint32_t)(high >> 32);
	return true;
}

/* Copies the times of the slots to in_order->ticks; returns their number. */
static size_t take_ticks(struct in_order *in_order, const uint64_t *slots, uint32_t count)
{
	struct dwell_slot_cursor cursor = in_order->cursor;
	size_t stamps = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct dwell_slot_event event;

		dwell_slot_decode(&cursor, slots[i], &event);
		if (dwell_stamps_has_time(&event))
			in_order->ticks[stamps++] = event.ticks;
	}
	return stamps;
}

/* Copies the slots with the corrected times in in_order->ticks; returns the number of slots in the copy. */
static uint32_t write_slots(struct in_order *in_order, const uint64_t *slots, uint32_t count)
{
	struct dwell_slot_cursor *cursor = &in_order->cursor;
	const uint64_t *ticks = in_order->ticks;
	uint64_t *out = in_order->slots;
	uint32_t high = cursor->high;

	for (uint32_t i = 0; i < count; i++) {
		struct dwell_slot_event event;

		dwell_slot_decode(cursor, slots[i], &event);
		if ((uint32_t)slots[i] == DWELL_TAG_TIME)
			continue;
		if (!dwell_stamps_has_time(&event)) {
			*out++ = slots[i];
			continue;
		}
		if (event.kind != DWELL_SLOT_TAG)
			in_order->floor_ticks = *ticks;
		if (*ticks >> 32 != high)
			*out++ = dwell_slot_make(DWELL_TAG_TIME, high = (uint32_t)(*ticks >> 32));
		*out++ = dwell_slot_make((uint32_t)slots[i], (uint32_t)*ticks++);
	}
	*out++ = dwell_slot_make(DWELL_TAG_TIME, cursor->high);
	return (uint32_t)(out - in_order->slots);
}

const uint64_t *in_order_correct(struct in_order *in_order, const uint64_t *slots, uint32_t *count)
{
	size_t stamps;

	if (is_in_order(in_order, slots, *count))
		return slots;
	/* Each slot may need a TIME in front, and the last slot a TIME behind. */
	if (!array_reserve(&in_order->slots, &in_order->slot_capacity, 2 * (size_t)*count + 1, sizeof *in_order->slots) ||
		!array_reserve(&in_order->ticks, &in_order->tick_capacity, *count, sizeof *in_order->ticks)) {
		for (uint32_t i = 0; i < *count; i++)
			dwell_slot_decode(&in_order->cursor, slots[i], &(struct dwell_slot_event){0});
		return slots;
	}
	stamps = take_ticks(in_order, slots, *count);
	in_order->late += dwell_stamps_correct(in_order->ticks, stamps, in_order->floor_ticks);
	*count = write_slots(in_order, slots, *count);
	return in_order->slots;
}

void in_order_clear(struct in_order *in_order)
{
	free(in_order->slots);
	free(in_order->ticks);
	*in_order = (struct in_order){0};
}
