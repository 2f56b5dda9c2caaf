/* SPDX-License-Identifier: MIT
 *
 * Which part of a ring can be read. Positions count bytes for ever; the slot at position p lies at data[p mod bytes].
 *
 * All values may be anything: they come from memory that another program writes.
 */
#ifndef DWELL_CORE_EXTENT_H
#define DWELL_CORE_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/slot.h"

enum dwell_mode {
	DWELL_MODE_STREAM = 0,
	DWELL_MODE_RING = 1,
	DWELL_MODE_LINEAR = 2,
};

/* What a ring's header says. */
struct dwell_extent_facts {
	uint32_t mode; /* enum dwell_mode */
	bool commits_last;
	uint64_t pos, consumed, ready, bytes;
};

/* Positions [begin, end); begin is where a block begins, but for a stream. */
struct dwell_extent {
	uint64_t begin, end;
};

/* The part that can be read. Of a ring that goes on, read again afterwards: what lies before the new begin may have been overwritten
 * meanwhile. False: the facts cannot be.
 *
 * Of a ring that wrapped it is the oldest whole block and what follows. The block that is being written, or may be begun at any moment,
 * stands where the oldest was.
 * Context: any. */
static inline bool dwell_extent_of(const struct dwell_extent_facts *facts, struct dwell_extent *extent)
{
	uint64_t bytes = facts->bytes, pos = facts->pos, behind;

	if (bytes < 2 * DWELL_BLOCK_BYTES || bytes & (bytes - 1) || bytes > UINT64_MAX / 4 || pos % DWELL_SLOT_BYTES ||
		pos > UINT64_MAX / 2)
		return false;
	extent->begin = 0;
	extent->end = pos;
	switch (facts->mode) {
	case DWELL_MODE_STREAM:
		extent->begin = facts->consumed;
		return facts->consumed <= pos && pos - facts->consumed <= bytes;
	case DWELL_MODE_LINEAR:
		return pos <= bytes;
	case DWELL_MODE_RING:
		/* Where the overwriting may have come to. */
		behind = (pos / DWELL_BLOCK_BYTES + 1) * DWELL_BLOCK_BYTES;
		if (!facts->commits_last) {
			/* Zeroing goes ahead of the writing, to ready, and is under way behind it when the block before it was begun. */
			if (facts->ready % DWELL_BLOCK_BYTES || facts->ready < bytes ||
				(facts->ready > bytes && facts->ready > behind + DWELL_BLOCK_BYTES))
				return false;
			behind = facts->ready + (pos + DWELL_BLOCK_BYTES > facts->ready ? DWELL_BLOCK_BYTES : 0);
		}
		extent->begin = behind > bytes ? behind - bytes : 0;
		return extent->begin <= pos && pos - extent->begin <= bytes;
	default:
		return false;
	}
}

#endif
