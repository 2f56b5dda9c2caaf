/* SPDX-License-Identifier: MIT
 *
 * The readable part of a ring: which slots a reader may decode. Readers of session files and snapshots use this.
 *
 * Positions count bytes and never wrap; the slot at position p is at data[p mod bytes].
 *
 * All values may be arbitrary: another program writes the memory that they come from.
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

/* Fields of a ring's header (target/recorder/ring.h), copied by the reader. pos: bytes ever written; consumed: bytes drained, used
 * only in a stream; ready: where zeroing ends, used only in a ring without commits_last; bytes: size of the ring's data, a
 * power of two. */
struct dwell_extent_facts {
	uint32_t mode; /* enum dwell_mode */
	bool commits_last; /* the writer moves pos after it has stored a slot: so no block is zeroed in advance */
	uint64_t pos, consumed, ready, bytes;
};

/* Positions [begin, end). begin is the start of a block, except in a stream. */
struct dwell_extent {
	uint64_t begin, end;
};

/* Computes the readable part. While the ring is being written, call the function again, with new facts, after copying the slots:
 * the writer may have overwritten everything before the new begin meanwhile. Returns false if the facts are impossible.
 *
 * In a ring that wrapped, the readable part starts with the oldest whole block. The block before the oldest whole block is
 * not readable: the writer stores or zeroes slots in its memory, or may begin to at any moment.
 * Context: any. */
static inline bool dwell_extent_of(const struct dwell_extent_facts *facts, struct dwell_extent *extent)
{
	uint64_t bytes = facts->bytes, pos = facts->pos, overwrite_end;

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
		/* The writer may already use the memory of all positions before overwrite_end. The same memory held the
		 * slots of one lap (bytes) earlier: slots before overwrite_end - bytes may be overwritten. */
		overwrite_end = (pos / DWELL_BLOCK_BYTES + 1) * DWELL_BLOCK_BYTES;
		if (!facts->commits_last) {
			/* Zeroing runs ahead of the writing, up to ready. Once the writer has begun the last block
			 * before ready, zeroing of the next block is under way. */
			if (facts->ready % DWELL_BLOCK_BYTES || facts->ready < bytes ||
				(facts->ready > bytes && facts->ready > overwrite_end + DWELL_BLOCK_BYTES))
				return false;
			overwrite_end = facts->ready + (pos + DWELL_BLOCK_BYTES > facts->ready ? DWELL_BLOCK_BYTES : 0);
		}
		extent->begin = overwrite_end > bytes ? overwrite_end - bytes : 0;
		return extent->begin <= pos && pos - extent->begin <= bytes;
	default:
		return false;
	}
}

#endif
