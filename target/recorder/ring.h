/* SPDX-License-Identifier: MIT
 *
 * The ring: a header and 2^n bytes of blocks, in memory that the program shares with `dwell record` or keeps for itself. One thread
 * writes its events into the blocks; other threads or processes drain or read them.
 *
 * Invariants (checked by the unit tests and the adversary test):
 *   1. pos counts bytes and never goes back; the slot at byte p is at data[p & (bytes − 1)]. pos is in the ring's own memory, so a
 *      process that maps the ring reads exactly what was committed, also after SIGKILL.
 *   2. Only the slow path passes the first slot of a block, and it writes a TIME tag there.
 *   3. last_tag is the high half of the clock in the last TIME tag. epoch equals last_tag, or is stale while a tag waits to be
 *      written (a gap, a stop, the landing of an unwind). A stale epoch differs from the clock's high half, so every event takes
 *      the slow path. No event is committed under another high half than its own.
 *   4. An event whose stack pointer is outside [stack_low, stack_low + stack_bytes) gets a STACK tag in the same push, if its stack
 *      is not the stack of the last STACK tag.
 *   5. The modes differ only in when a block may be opened, so one hot path serves all:
 *          stream   pos + block − consumed ≤ room       overwrites nothing that is not drained yet; room ≤ bytes
 *          ring     always if room is 0; else as        keeps the last bytes. If room is not 0, the thread first waits (at most
 *                   stream, or after a wait             the session's limit) for the reader of the block that it overwrites
 *          linear   pos + block ≤ bytes                 keeps the first bytes
 *   6. With a claim that commits first (commits_last 0), a slot that is 0 is claimed but not written yet. So the slots ahead of pos
 *      are 0:
 *          stream   the drainer zeroes what it has copied before it moves consumed
 *          ring     opening a block zeroes the next block; blocks below ready are zeroed
 *          linear   the memory is 0 at the start
 */
#ifndef DWELL_TARGET_RING_H
#define DWELL_TARGET_RING_H

#include <stddef.h>
#include <stdint.h>

#include "core/extent.h"
#include "core/slot.h"
#include "dwell/session.h"

/* Whether two tags wait to be written: OFF and ON (member resume), or HELD and HELD_END (member held). */
enum dwell_resume {
	DWELL_RESUME_NOTHING = 0,
	DWELL_RESUME_DUE = 1,   /* the tags wait */
	/* The recorder began to push the tags at resume_pos (held_pos). While pos is still there, the tags wait; if pos is
	 * elsewhere, the tags are written: nothing else is written at that position. */
	DWELL_RESUME_BEGUN = 2,
};

/* A position or a count: as wide as the machine can store in one instruction. On 32-bit machines a position wraps at 4 GiB, a
 * multiple of the size of any ring. */
typedef uintptr_t dwell_pos;

/* Assembly for x86-64 (stub.S) has these offsets as numbers: pos 0, epoch 8, bytes 16, stack_low 32, stack_bytes 40.
 * dwell/session.h fixes the offsets of the members that readers of a session file need. So new members go to the end. */
struct dwell_ring {
	volatile dwell_pos pos; /* bytes ever committed. Written by the thread */
	union {
		volatile uint32_t epoch; /* see invariant 3. Written by the thread, and by dwell_start */
		uint64_t epoch_room;
	};
	dwell_pos bytes;             /* size of the data: a power of two, at least two blocks */
	volatile dwell_pos consumed; /* bytes drained or read. Written by the drainer or reader */
	/* The hot path takes only events whose stack pointer is in [stack_low, stack_low + stack_bytes), a range on the stack of
	 * the last STACK tag. stack_bytes 0: no event; all bits set: every event. */
	volatile dwell_pos stack_low;
	volatile dwell_pos stack_bytes; /* see stack_low */
	volatile dwell_pos ready;    /* blocks below ready are zeroed for this lap (invariant 6) */
	volatile dwell_pos populated;   /* for the port: bytes of data whose memory pages are present */
	volatile dwell_pos clearing;    /* 1 while a block is zeroed: a handler that must zero a block, too, loses an event */
	volatile dwell_pos lost_events; /* events lost in this ring, in total */
	volatile dwell_pos gap_events;  /* events lost since the last LOST tag */
	volatile dwell_pos gap_pops;    /* frames open before the gap and left in it */
	volatile dwell_pos gap_pushes;  /* frames entered in the gap and still open */
	/* enum dwell_resume: recording stopped at stop_ticks and goes on; OFF and ON wait to be written. */
	volatile dwell_pos resume;
	volatile dwell_pos resume_pos;  /* position at which the recorder tries to write OFF and ON */
	volatile uint64_t stop_ticks;
	/* enum dwell_tag of an unwind whose landing no event has shown yet; 0: none. The next enter or mark also records its call
	 * site, since frames may have been left. */
	volatile dwell_pos unwound;
	volatile uint32_t last_tag;          /* see invariant 3 */
	/* 1: the enter or mark that shows the landing must write the unwind's tag, too: the ring had no room for the tag at the
	 * unwind, or a handler has recorded since. */
	volatile uint32_t unwind_tag_due;
	/* After an unwind: open calls of the handler that has interrupted the landing; 0: no handler runs. */
	volatile uint32_t handler_depth;
	volatile dwell_pos stack;        /* lower half: stack of the last STACK tag; upper half: how many were written */
	volatile uint32_t reports_stack;  /* 1: the program reports its stack by dwell_trace_switch, and reported_stack is valid */
	volatile uint32_t reported_stack;  /* number of the reported stack */
	uint32_t mode;         /* enum dwell_mode */
	uint32_t magic;        /* written last: the header is valid */
	uint32_t version;
	uint32_t header_bytes; /* offset of the data from the ring's start */
	uint32_t commits_last; /* 1: pos moves after the slot is written; 0: before (invariant 6) */
	/* 1: the recording is over: the epoch stays stale, and no event is recorded. Set by the process that ends the recording. */
	volatile uint32_t closed;
	/* How far pos may be ahead of consumed; 0, in a ring: any distance. The drainer lowers this if memory is short. */
	volatile dwell_pos room;
	volatile uint32_t waiting; /* 1: the thread sleeps on this word, until the drainer clears it and wakes the thread */
	/* enum dwell_resume: HELD and HELD_END wait to be written: the thread worked for the recorder from held_ticks to
	 * held_end_ticks (0: still works). */
	volatile dwell_pos held;
	volatile uint64_t held_ticks, held_end_ticks; /* see held */
	volatile dwell_pos held_pos; /* position at which the recorder tries to write HELD */
	/* Value of consumed when the block at pos was last refused, plus 1; 0: none was. While consumed stays there, no event waits
	 * again, and events are counted as lost without a look at anything else. */
	volatile dwell_pos refused;
	/* 1: the gap left frames in an uncountable way (an unwind, other stacks). Only the gap_pushes frames entered
	 * since are certainly open. */
	volatile dwell_pos gap_is_unknown;
};

#if UINTPTR_MAX > UINT32_MAX
#define DWELL_RING_CHECK_OFFSET(member, offset) _Static_assert(offsetof(struct dwell_ring, member) == (offset), "ring: " #member)
DWELL_RING_CHECK_OFFSET(pos, DWELL_RING_AT_POS);
DWELL_RING_CHECK_OFFSET(bytes, DWELL_RING_AT_BYTES);
DWELL_RING_CHECK_OFFSET(consumed, DWELL_RING_AT_CONSUMED);
DWELL_RING_CHECK_OFFSET(ready, DWELL_RING_AT_READY);
DWELL_RING_CHECK_OFFSET(lost_events, DWELL_RING_AT_LOST_EVENTS);
DWELL_RING_CHECK_OFFSET(mode, DWELL_RING_AT_MODE);
DWELL_RING_CHECK_OFFSET(magic, DWELL_RING_AT_MAGIC);
DWELL_RING_CHECK_OFFSET(version, DWELL_RING_AT_VERSION);
DWELL_RING_CHECK_OFFSET(header_bytes, DWELL_RING_AT_HEADER_BYTES);
DWELL_RING_CHECK_OFFSET(commits_last, DWELL_RING_AT_COMMITS_LAST);
#undef DWELL_RING_CHECK_OFFSET
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
