/* SPDX-License-Identifier: MIT
 *
 * Stamps: corrects the times of a run of slots (stamps.h).
 */
#include "core/stamps.h"

/* Corrects the stamps after one TIME, which share one high half of the clock. If a stamp seems to lie more than half a
 * turn of the low half before its predecessor, the recorder took the stamp after the turn, but before writing the new
 * TIME. Any other stamp later than its successor was taken late. */
static size_t correct_epoch(uint64_t *ticks, size_t count)
{
	const uint64_t half = UINT64_C(1) << 31, turn = UINT64_C(1) << 32;
	uint64_t last = 0, next = UINT64_MAX;
	size_t late = 0;

	for (size_t i = 0; i < count; i++) {
		if (ticks[i] < last && last - ticks[i] > half && ticks[i] < UINT64_MAX - turn)
			ticks[i] += turn;
		last = ticks[i];
	}
	for (size_t i = count; i-- > 0;) {
		if (ticks[i] > next) {
			ticks[i] = next;
			late++;
		}
		next = ticks[i];
	}
	return late;
}

size_t dwell_stamps_correct(uint64_t *ticks, size_t count, uint64_t floor_ticks)
{
	uint64_t last = floor_ticks;
	size_t begin = 0, late = 0;

	for (size_t i = 1; i <= count; i++) {
		if (i < count && ticks[i] >> 32 == ticks[begin] >> 32)
			continue;
		late += correct_epoch(ticks + begin, i - begin);
		begin = i;
	}
	for (size_t i = 0; i < count; i++) {
		late += ticks[i] < last;
		if (ticks[i] < last)
			ticks[i] = last;
		last = ticks[i];
	}
	return late;
}
