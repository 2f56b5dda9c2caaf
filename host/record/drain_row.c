#include "record/drain_row.h"

/* Of slots that begin with an event, or with TIMEs in front of one. */
static uint64_t first_ticks(uint64_t high, const uint64_t *slots)
{
	while (dwell_slot_is_tag(*slots))
		slots++;
	return high | *slots >> 32;
}

/* sums: null: nobody wants them. Where it is known to be, nothing of it is left. */
static inline __attribute__((always_inline)) uint32_t take_row(
	struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct path_sums *sums)
{
	struct dwell_pair *pair = fold->pair;
	struct dwell_pair_row row = dwell_pair_begin_row(pair);
	const struct dwell_frame *lowest = row.next;
	uint64_t high = (uint64_t)fold->cursor.high << 32, last = pair->last_ticks, total_ticks, self_ticks;
	uint32_t i, times = 0;
	bool hears = fold->calls;

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
			if (DWELL_RARELY(row.next == row.bottom) ||
				DWELL_RARELY(row.next[-1].id != (low & ~1u)) || (hears && row.next[-1].user))
				break;
			const struct dwell_frame *left = dwell_pair_row_exit(&row, ticks, &total_ticks, &self_ticks);
			if (sums) {
				struct dwell_call call = dwell_pair_row_call(&row, left, ticks);

				path_sums_reserve(sums, call.depth + 1);
				dwell_paths_add(&sums->paths, row.bottom, call.depth, &call);
			}
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

uint32_t drain_fold_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count)
{
	return take_row(fold, slots, count, NULL);
}

uint32_t drain_count_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct path_sums *sums)
{
	return take_row(fold, slots, count, sums);
}
