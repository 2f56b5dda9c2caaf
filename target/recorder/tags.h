/* SPDX-License-Identifier: MIT
 *
 * Writes the tags of a ring: the time, a stack, a gap, a stop, and the thread's work for the recorder. Only the slow path (trace.c)
 * uses this, before it writes an event. Each function pushes its tags at exactly pos, or nothing if a handler has recorded in
 * between.
 */
#ifndef DWELL_TARGET_TAGS_H
#define DWELL_TARGET_TAGS_H

#include "port/port.h"

/* ring->stack: the number of the stack in the lower half, a counter in the upper half. The counter shows that a STACK tag was
 * written again, even with the same number. */
#define DWELL_STACK_COUNT ((dwell_pos)1 << sizeof(dwell_pos) * 4)

/* Returns the number of the stack in a value of ring->stack. */
static inline uint32_t dwell_tags_stack_number(dwell_pos word)
{
	return (uint32_t)(word & (DWELL_STACK_COUNT - 1));
}

/* Opens the fast path, or closes it while a tag waits to be written: sets epoch (invariant 3 in ring.h). */
void dwell_tags_set_epoch(struct dwell_ring *ring);

/* Writes a TIME. high: the high half of the clock. False: nothing was pushed. */
bool dwell_tags_write_time(struct dwell_ring *ring, dwell_pos pos, uint32_t high);
/* Writes the head of a block: the time and the current stack, so that the block decodes alone. False: nothing was pushed. */
bool dwell_tags_write_head(struct dwell_ring *ring, dwell_pos pos, uint32_t high);
/* Writes the gap: three tags in one push, or none. */
void dwell_tags_write_gap(struct dwell_ring *ring, dwell_pos pos);

/* Whether OFF and ON wait to be written at pos: recording was off from ring->stop_ticks on. dwell_tags_write_resume writes both;
 * now is the time of ON. */
bool dwell_tags_resume_is_due(struct dwell_ring *ring, dwell_pos pos);
void dwell_tags_write_resume(struct dwell_ring *ring, dwell_pos pos, uint64_t now);

/* The thread begins to work for the recorder. False: the thread does so already, or a handler has just recorded an event, which
 * HELD cannot precede any more. dwell_tags_held_is_due: whether HELD waits to be written at pos. dwell_tags_write_held writes HELD
 * and
 * HELD_END: the end is now, or held_end_ticks if set. */
bool dwell_tags_begin_held(struct dwell_ring *ring, dwell_pos pos);
bool dwell_tags_held_is_due(struct dwell_ring *ring, dwell_pos pos);
void dwell_tags_write_held(struct dwell_ring *ring, dwell_pos pos, uint64_t now);

#endif
