/* SPDX-License-Identifier: MIT
 *
 * The ring: a header and 2^n bytes of blocks, written by one thread, drained or read by others.
 *
 * Invariants (the unit tests and the adversary test check them):
 *   1. pos counts bytes for ever; the slot at byte p lies at data[p & (bytes − 1)]. It is in the ring's own memory, so whoever maps
 *      the ring sees exactly what was committed, also after SIGKILL.
 *   2. Only the slow path passes the first slot of a block, and it writes TIME there.
 *   3. said is the high half of the clock that the last TIME said. epoch is the same, or stale while something waits to be said (a gap, a
 *      stop, where an unwind landed): then it differs from the clock's, and every event comes by the slow path. No event is committed
 *      under a high half that is not its own.
 *   4. An event that does not go by [stack_low, stack_low + stack_bytes) says its STACK in the same push, when that is another one than was
 *      said last.
 *   5. Modes differ only in when a block may be opened, so the hot path is one:
 *          stream   pos + block − consumed ≤ room       nothing is overwritten that was not drained; room ≤ bytes
 *          ring     room = 0, or as stream              the last bytes are kept; with a room none is overwritten that was not looked at
 *          linear   pos + block ≤ bytes                 the first bytes are kept
 *   6. With a claim that commits first (commits_last 0) a slot that is 0 is claimed and not written yet. So the slots ahead of pos are 0:
 *          stream   whoever drains zeroes what it took before it moves consumed
 *          ring     the block behind the current one is zeroed when that is opened; ready says how far it is done
 *          linear   from the beginning
 */
#ifndef DWELL_TARGET_RING_H
#define DWELL_TARGET_RING_H

#include <stddef.h>
#include <stdint.h>

#include "core/extent.h"
#include "core/slot.h"
#include "dwell/session.h"

enum dwell_resume {
	DWELL_RESUME_NOTHING = 0,
	DWELL_RESUME_DUE = 1,
	DWELL_RESUME_BEGUN = 2, /* it is said when pos is not resume_pos any more */
};

/* A position or a count: as wide as the machine stores in one instruction. On 32-bit machines a position wraps at 4 GiB, which is a
 * multiple of any ring. */
typedef uintptr_t dwell_pos;

/* The assembler of x86-64 knows that pos is at 0, epoch at 8, bytes at 16, stack_low at 32 and stack_bytes at 40. What a reader of the
 * session file needs stands where dwell/session.h says: new members go to the end. */
struct dwell_ring {
	volatile dwell_pos pos; /* bytes ever committed. Written by the thread */
	union {
		volatile uint32_t epoch; /* see 3. Written by the thread, and by dwell_start */
		uint64_t epoch_room;
	};
	dwell_pos bytes;             /* of data: a power of two, at least two blocks */
	volatile dwell_pos consumed; /* bytes drained, or looked at. Written by who does that */
	volatile dwell_pos stack_low;   /* the fast way is open to events whose stack pointer is in [stack_low, stack_low + stack_bytes), */
	volatile dwell_pos stack_bytes; /* which is on the stack that was said last; 0: to none, all: to any */
	volatile dwell_pos ready;    /* blocks below this were zeroed for this lap (see 6) */
	volatile dwell_pos populated;   /* the port's own: bytes of data whose memory was brought in */
	volatile dwell_pos clearing;    /* 1 while a block is zeroed: a handler that needs another is refused */
	volatile dwell_pos lost_events; /* ever, in this ring */
	volatile dwell_pos gap_events;  /* lost and not yet said by a LOST tag */
	volatile dwell_pos gap_pops;    /* frames left in that gap */
	volatile dwell_pos gap_pushes;  /* frames entered in it and still open */
	volatile dwell_pos resume;      /* enum dwell_resume: recording stopped at stop_ticks and goes on; OFF and ON are to be said */
	volatile dwell_pos resume_pos;  /* where that is being done */
	volatile uint64_t stop_ticks;
	volatile dwell_pos unwound;      /* enum dwell_tag: frames may have been left, and the next enter says where it was called from */
	volatile uint32_t said;          /* see 3 */
	volatile uint32_t unwound_again; /* the tag must be said once more then: a handler came in between */
	volatile uint32_t handler_depth; /* open calls of such a handler */
	volatile dwell_pos stack;        /* lower half: the stack that was said last; upper half: how often one was */
	volatile uint32_t stack_marked;  /* the program tells by itself which stack it is on … */
	volatile uint32_t stack_wanted;  /* … this one */
	uint32_t mode;         /* enum dwell_mode */
	uint32_t magic;        /* written last: the header is valid */
	uint32_t version;
	uint32_t header_bytes; /* data begins here, counted from the ring */
	uint32_t commits_last; /* 1: pos moves after the slot is written; 0: before (see 6) */
	volatile uint32_t closed; /* 1: nothing is recorded any more, so the epoch stays stale. Written by whoever ends the recording */
	volatile uint32_t watched; /* somebody wants to see every event: all take the slow path */
	volatile dwell_pos room; /* how far pos may be ahead of consumed; ring, 0: any. The drainer lowers it where memory is short */
	volatile uint32_t waiting; /* 1: the thread sleeps on this word, until whoever drains clears it and wakes it */
	volatile dwell_pos held;   /* enum dwell_resume: HELD and HELD_END are to be said, since the thread waited for room from … */
	volatile uint64_t held_ticks, held_end_ticks; /* … to …; 0: to when that is said … */
	volatile dwell_pos held_pos; /* … which is being done there */
	volatile dwell_pos vain;   /* the port's own: consumed + 1 when it waited for nothing */
	volatile dwell_pos gap_in_doubt; /* 1: the gap left frames in a way that cannot be counted (an unwind, other stacks). Of all frames
	                                    only gap_pushes, which were entered since, are known to be open */
};

#if UINTPTR_MAX > UINT32_MAX
#define DWELL_RING_STANDS(member, offset) _Static_assert(offsetof(struct dwell_ring, member) == (offset), "ring: " #member)
DWELL_RING_STANDS(pos, DWELL_RING_AT_POS);
DWELL_RING_STANDS(bytes, DWELL_RING_AT_BYTES);
DWELL_RING_STANDS(consumed, DWELL_RING_AT_CONSUMED);
DWELL_RING_STANDS(ready, DWELL_RING_AT_READY);
DWELL_RING_STANDS(lost_events, DWELL_RING_AT_LOST_EVENTS);
DWELL_RING_STANDS(mode, DWELL_RING_AT_MODE);
DWELL_RING_STANDS(magic, DWELL_RING_AT_MAGIC);
DWELL_RING_STANDS(version, DWELL_RING_AT_VERSION);
DWELL_RING_STANDS(header_bytes, DWELL_RING_AT_HEADER_BYTES);
DWELL_RING_STANDS(commits_last, DWELL_RING_AT_COMMITS_LAST);
#undef DWELL_RING_STANDS
#endif

static inline volatile uint64_t *dwell_ring_slot(struct dwell_ring *ring, dwell_pos pos)
{
	return (volatile uint64_t *)((unsigned char *)ring + ring->header_bytes + (pos & (ring->bytes - 1)));
}

static inline void dwell_ring_clear_block(struct dwell_ring *ring, dwell_pos pos)
{
	for (dwell_pos p = pos; p != pos + DWELL_BLOCK_BYTES; p += DWELL_SLOT_BYTES)
		*dwell_ring_slot(ring, p) = 0;
}

#endif
