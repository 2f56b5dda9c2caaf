/* SPDX-License-Identifier: MIT
 *
 * A row: slots among which nothing is unusual, folded in half the time that dwell_fold_slots takes: enters, exits of the call that is
 * innermost, and TIMEs that say the same again. With paths, calls that end become sums there. Inlined into whoever folds, for the parts of
 * it that he has no use for to be left out. */
#ifndef DWELL_CORE_ROW_H
#define DWELL_CORE_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/paths.h"

#define DWELL_ROW_INLINE static inline __attribute__((always_inline))

/* Of slots that begin with an event, or with TIMEs in front of one. */
DWELL_ROW_INLINE uint64_t dwell_row_first_ticks(uint64_t high, const uint64_t *slots)
{
	while (dwell_slot_is_tag(*slots))
		slots++;
	return high | *slots >> 32;
}

/* Folds up to the first slot that is none of these; returns how many. The others, if only none, are to be given to dwell_fold_slots, which
 * also makes the summary whole. Without paths, where somebody wants calls (fold->calls), those with a .user are not taken, and the others
 * not handed out. paths: null, or where calls go that end in the row; those that the fold finishes are for its listener. reserve: null, or
 * makes room there for a call that so many others are open around.
 * Context: whoever owns the fold; 10 instructions for an enter or exit, and dwell_paths_add. */
DWELL_ROW_INLINE uint32_t dwell_row_fold(struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct dwell_paths *paths,
	void (*reserve)(void *context, uint32_t depth), void *context)
{
	struct dwell_pair *pair = fold->pair;
	struct dwell_pair_row row = dwell_pair_begin_row(pair);
	const struct dwell_frame *lowest = row.next;
	uint64_t high = (uint64_t)fold->cursor.high << 32, last = pair->last_ticks, total_ticks, self_ticks;
	uint32_t i, times = 0;
	bool hears = fold->calls && !paths; /* with paths the .user is theirs */

	if (pair->state || pair->beyond || fold->cursor.window || fold->next_stack != fold->stack)
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
			if (paths) {
				struct dwell_call call = dwell_pair_row_call(&row, left, ticks);

				if (reserve)
					reserve(context, call.depth + 1);
				dwell_paths_add(paths, row.bottom, call.depth, &call);
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
		fold->summary.first_ticks = dwell_row_first_ticks(high, slots);
	if ((uint32_t)(lowest - row.bottom) < fold->lowest)
		fold->lowest = (uint32_t)(lowest - row.bottom);
	fold->summary.events += i - times;
	fold->summary.last_ticks = fold->cursor.last_ticks = last;
	dwell_pair_end_row(pair, &row, last);
	return i;
}

#endif
