/* SPDX-License-Identifier: MIT
 *
 * Writes the tags of a ring: the time, a stack, a gap, a stop, and the thread's work for the recorder. Each function pushes its
 * tags at exactly pos, or pushes nothing.
 */
#ifndef DWELL_TARGET_SAY_H
#define DWELL_TARGET_SAY_H

#include "port/port.h"

/* ring->stack: the number of the stack in the lower half, a counter in the upper half. The counter shows that a STACK tag was
 * written again, even with the same number. */
#define DWELL_STACK_COUNT ((dwell_pos)1 << sizeof(dwell_pos) * 4)

static inline uint32_t dwell_said_stack(dwell_pos word)
{
	return (uint32_t)(word & (DWELL_STACK_COUNT - 1));
}

/* Opens the fast path, or closes it while a tag waits to be written: sets epoch (invariant 3 in ring.h). */
void dwell_say_epoch(struct dwell_ring *ring);

bool dwell_say_time(struct dwell_ring *ring, dwell_pos pos, uint32_t high);
/* Writes the head of a block: the time and the current stack, so that the block decodes alone. */
bool dwell_say_head(struct dwell_ring *ring, dwell_pos pos, uint32_t high);
/* Writes the gap: three tags in one push, or none. */
void dwell_say_gap(struct dwell_ring *ring, dwell_pos pos);

/* Whether a stop waits to be written at pos. dwell_say_resume writes the stop: recording was off between stop_ticks and now. */
bool dwell_say_is_resume_due(struct dwell_ring *ring, dwell_pos pos);
void dwell_say_resume(struct dwell_ring *ring, dwell_pos pos, uint64_t now);

/* The thread begins to work for the recorder. False: the thread does so already, or a handler has just recorded an event, which
 * HELD cannot precede any more. dwell_say_is_held_due: whether HELD waits to be written at pos. dwell_say_held writes HELD and
 * HELD_END: the end is now, or held_end_ticks if set. */
bool dwell_say_begin_held(struct dwell_ring *ring, dwell_pos pos);
bool dwell_say_is_held_due(struct dwell_ring *ring, dwell_pos pos);
void dwell_say_held(struct dwell_ring *ring, dwell_pos pos, uint64_t now);

#endif
