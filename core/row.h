/* SPDX-License-Identifier: MIT
 *
 * A row: slots without unusual events, folded in half the time of dwell_fold_slots. A row contains enters, exits of the
 * innermost call, and TIMEs that repeat the current one. The drain tries this first for each run of slots.
 *
 * With paths, the row adds finished calls to them. The functions are inlined, so that the compiler removes the parts that a caller
 * does not use. */
#ifndef DWELL_CORE_ROW_H
#define DWELL_CORE_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/paths.h"

#define DWELL_ROW_INLINE static inline __attribute__((always_inline))

/* Returns the time of the first event of the slots, which begin with an event or with TIMEs before an event. high: the clock's high
 * half, shifted to its place. */
DWELL_ROW_INLINE uint64_t dwell_row_first_ticks(uint64_t high, const uint64_t *slots)
{
	while (dwell_slot_is_tag(*slots))
		slots++;
	return high | *slots >> 32;
}

/* Folds slots up to the first unusual one; returns their number, possibly 0. Pass the other slots, or none, to dwell_fold_slots,
 * which also completes the summary. paths: null, or receives the calls that end in the row; calls finished by the fold itself go to
 * its receiver. Without paths, if the fold has a receiver (fold->calls), the row ends before the exit of a call with a .user, and
 * the receiver does not get calls without a .user. reserve: null, or a function that makes room in paths for a call at this depth.
 * Context: the owner of the fold; 10 instructions for an enter or exit, plus dwell_paths_add. */
DWELL_ROW_INLINE uint32_t dwell_row_fold(struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct dwell_paths *paths,
	void (*reserve)(void *context, uint32_t depth), void *context)
{
	struct dwell_pair *pair = fold->pair;
	struct dwell_pair_row row = dwell_pair_begin_row(pair);
	const struct dwell_frame *lowest = row.next;
	uint64_t high = (uint64_t)fold->cursor.high << 32, last = pair->last_ticks, total_ticks, self_ticks;
	uint32_t i, times = 0;
	bool has_receiver = fold->calls && !paths; /* with paths, the .user belongs to the paths */

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
				DWELL_RARELY(row.next[-1].id != (low & ~1u)) || (has_receiver && row.next[-1].user))
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
