/* SPDX-License-Identifier: MIT
 *
 * Writes the tags of a ring; see tags.h.
 */
#include "recorder/tags.h"

/* Whether a tag waits to be written, or the ring is closed. The tag must precede the next event: between the calls of a handler,
 * its place would be wrong. */
static bool tag_is_due(const struct dwell_ring *ring)
{
	return ring->resume || ring->held || ring->gap_events || ring->gap_is_unknown || ring->unwound || ring->closed ||
	       (ring->reports_stack && ring->reported_stack != dwell_tags_stack_number(ring->stack));
}

/* Opens or closes the fast path. */
void dwell_tags_set_epoch(struct dwell_ring *ring)
{
	uint32_t last_tag = ring->last_tag;

	if (!tag_is_due(ring))
		ring->epoch = last_tag;
	if (tag_is_due(ring)) /* tested again: a handler may have run in between */
		ring->epoch = ~last_tag;
}

bool dwell_tags_write_time(struct dwell_ring *ring, dwell_pos pos, uint32_t high)
{
	uint64_t slot = dwell_slot_make(DWELL_TAG_TIME, high);

	/* The tag comes before the new time in the header: a handler in between reads the old time, and writes a TIME tag, too. */
	if (!port_push(ring, pos, &slot, 1))
		return false;
	ring->last_tag = high;
	dwell_tags_set_epoch(ring);
	return true;
}

/* A block's head, to decode the block without the blocks before. */
bool dwell_tags_write_head(struct dwell_ring *ring, dwell_pos pos, uint32_t high)
{
	dwell_pos last_tag = ring->stack;
	uint64_t slots[2] = {
		dwell_slot_make(DWELL_TAG_TIME, high), dwell_slot_make(DWELL_TAG_STACK, dwell_tags_stack_number(last_tag))};

	if (!dwell_tags_stack_number(last_tag))
		return dwell_tags_write_time(ring, pos, high);
	if (!port_push(ring, pos, slots, 2))
		return false;
	/* Counts the repeated STACK tag. If this code runs in a handler that has interrupted begin_stack(), the new count prevents
	 * begin_stack() from overwriting ring->stack. */
	port_compare_exchange(&ring->stack, last_tag, last_tag + DWELL_STACK_COUNT);
	ring->last_tag = high;
	dwell_tags_set_epoch(ring);
	return true;
}

/* Limits a count to the 32 bits of a payload. */
static uint32_t saturate(dwell_pos value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* Writes the gap at pos: three tags in one push, or none. */
void dwell_tags_write_gap(struct dwell_ring *ring, dwell_pos pos)
{
	/* Takes the counts before the push, so that a handler in between does not write the gap a second time. */
	dwell_pos events = port_take(&ring->gap_events), pops = port_take(&ring->gap_pops), pushes = port_take(&ring->gap_pushes);
	dwell_pos unknown_gap = port_take(&ring->gap_is_unknown) | ring->unwound; /* the unwind may have landed in the gap */
	uint64_t slots[3] = {
		dwell_slot_make(DWELL_TAG_LOST, saturate(events)),
		dwell_slot_make(DWELL_TAG_LOST_POPS, unknown_gap ? DWELL_LOST_ALL : saturate(pops)),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, ring->unwound ? 0 : saturate(pushes)),
	};

	if (!port_push(ring, pos, slots, 3)) {
		port_add(&ring->gap_pops, pops);
		port_add(&ring->gap_pushes, pushes);
		ring->gap_is_unknown |= unknown_gap;
		port_add(&ring->gap_events, events);
		dwell_tags_set_epoch(ring);
	}
}

/* At resume_pos the recorder writes only the stop. So once pos differs from resume_pos, the stop has been written, either by the
 * code that set resume_pos or by a handler that interrupted this code. */
bool dwell_tags_resume_is_due(struct dwell_ring *ring, dwell_pos pos)
{
	if (ring->resume == DWELL_RESUME_BEGUN && ring->resume_pos != pos)
		port_compare_exchange(&ring->resume, DWELL_RESUME_BEGUN, DWELL_RESUME_NOTHING);
	return ring->resume != DWELL_RESUME_NOTHING;
}

/* Writes that recording was off between stop_ticks and now: pushes four tags at once, or nothing. */
void dwell_tags_write_resume(struct dwell_ring *ring, dwell_pos pos, uint64_t now)
{
	uint64_t stop = ring->stop_ticks;
	uint64_t slots[4] = {
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(stop >> 32)),
		dwell_slot_make(DWELL_TAG_OFF, (uint32_t)stop),
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(now >> 32)),
		dwell_slot_make(DWELL_TAG_ON, (uint32_t)now),
	};

	ring->resume_pos = pos;
	ring->resume = DWELL_RESUME_BEGUN;
	if (port_push(ring, pos, slots, 4))
		ring->last_tag = (uint32_t)(now >> 32);
}

/* Writes when the thread worked for the recorder: pushes up to four tags at once, or nothing. */
void dwell_tags_write_held(struct dwell_ring *ring, dwell_pos pos, uint64_t now)
{
	uint64_t begin = ring->held_ticks, end = ring->held_end_ticks ? ring->held_end_ticks : now, slots[4];
	unsigned count = 0;

	if (begin >> 32 != ring->last_tag)
		slots[count++] = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(begin >> 32));
	slots[count++] = dwell_slot_make(DWELL_TAG_HELD, (uint32_t)begin);
	if (begin >> 32 != end >> 32)
		slots[count++] = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(end >> 32));
	slots[count++] = dwell_slot_make(DWELL_TAG_HELD_END, (uint32_t)end);
	ring->held_pos = pos;
	ring->held = DWELL_RESUME_BEGUN;
	if (port_push(ring, pos, slots, count))
		ring->last_tag = (uint32_t)(end >> 32);
}

/* As dwell_tags_resume_is_due. */
bool dwell_tags_held_is_due(struct dwell_ring *ring, dwell_pos pos)
{
	if (ring->held == DWELL_RESUME_BEGUN && ring->held_pos != pos)
		port_compare_exchange(&ring->held, DWELL_RESUME_BEGUN, DWELL_RESUME_NOTHING);
	return ring->held != DWELL_RESUME_NOTHING;
}

/* Sets held_ticks before held, so a handler that records in between writes HELD in front of the handler's later events. If pos has
 * changed, a handler has recorded an event before held was set: HELD could only follow that event, so nothing is recorded. */
bool dwell_tags_begin_held(struct dwell_ring *ring, dwell_pos pos)
{
	if (dwell_tags_held_is_due(ring, pos))
		return false;
	ring->held_end_ticks = 0;
	ring->held_ticks = port_now();
	ring->held = DWELL_RESUME_DUE;
	dwell_tags_set_epoch(ring); /* from here on a handler takes the slow path */
	if (ring->pos == pos)
		return true;
	ring->held = DWELL_RESUME_NOTHING;
	return false;
}
