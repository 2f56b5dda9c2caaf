#include "record/drain_row.h"

/* Of slots that begin with an event, or with TIMEs in front of one. */
static uint64_t first_ticks(uint64_t high, const uint64_t *slots)
{
	while (dwell_slot_is_tag(*slots))
		slots++;
	return high | *slots >> 32;
}

uint32_t drain_fold_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count)
{
	struct dwell_pair *pair = fold->pair;
	struct dwell_pair_row row = dwell_pair_begin_row(pair);
	const struct dwell_frame *lowest = row.next;
	uint64_t high = (uint64_t)fold->cursor.high << 32, last = pair->last_ticks, total_ticks, self_ticks;
	uint32_t i, times = 0;

	if (pair->state || pair->beyond || fold->table || fold->cursor.window || fold->next_stack != fold->stack)
		return 0;
	for (i = 0; i < count; i++) {
		uint32_t low = (uint32_t)slots[i];
		uint64_t ticks = high | slots[i] >> 32;

		if (DWELL_RARELY(low < DWELL_TAG_LIMIT)) {
			if (low != DWELL_TAG_TIME || slots[i] >> 32 != fold->cursor.high)
				break;
			times++;
			continue;
		}
		if (DWELL_RARELY(ticks < last))
			break;
		if (low & 1u) {
			if (DWELL_RARELY(row.next == row.bottom) || DWELL_RARELY(row.next[-1].id != (low & ~1u)))
				break;
			dwell_pair_row_exit(&row, ticks, &total_ticks, &self_ticks);
			lowest = row.next < lowest ? row.next : lowest;
		} else {
			if (DWELL_RARELY(row.next >= row.limit))
				break;
			dwell_pair_row_enter(&row, low, ticks);
		}
		last = ticks;
	}
	if (i == times)
		return i;
	if (!fold->summary.events)
		fold->summary.first_ticks = first_ticks(high, slots);
	if (lowest - row.bottom < fold->lowest)
		fold->lowest = (uint32_t)(lowest - row.bottom);
	fold->summary.events += i - times;
	fold->summary.last_ticks = fold->cursor.last_ticks = last;
	dwell_pair_end_row(pair, &row, last);
	return i;
}
