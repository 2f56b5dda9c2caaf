/* SPDX-License-Identifier: MIT
 *
 * Initialises the header of a ring that has no events yet: when a thread begins to record (dwell_ring_begin in trace.h).
 */
#include "recorder/trace.h"

struct dwell_ring *dwell_ring_begin(void *memory, dwell_pos header_bytes, dwell_pos bytes, enum dwell_mode mode, bool is_zero)
{
	struct dwell_ring *ring = memory;
	dwell_pos data = DWELL_BLOCK_BYTES;

	if (!memory || (uintptr_t)memory % DWELL_SLOT_BYTES || header_bytes < sizeof *ring || header_bytes % DWELL_SLOT_BYTES ||
		bytes < header_bytes || bytes - header_bytes < 2 * DWELL_BLOCK_BYTES)
		return 0;
	while (data <= (bytes - header_bytes) / 2)
		data *= 2;
	ring->magic = 0;
	ring->pos = 0;
	ring->epoch = 0;
	ring->last_tag = 0;
	ring->unwound = 0;
	ring->unwind_tag_due = 0;
	ring->handler_depth = 0;
	ring->bytes = data;
	ring->consumed = 0;
	ring->ready = data;
	ring->populated = 0;
	ring->clearing = 0;
	ring->lost_events = 0;
	ring->gap_events = 0;
	ring->gap_pops = 0;
	ring->gap_pushes = 0;
	ring->gap_is_unknown = 0;
	ring->resume = DWELL_RESUME_NOTHING;
	ring->resume_pos = 0;
	ring->stop_ticks = 0;
	ring->stack = 0;
	ring->reports_stack = 0;
	ring->reported_stack = 0;
	ring->stack_low = 0;
	ring->stack_bytes = 0;
	ring->mode = mode;
	ring->version = DWELL_RING_VERSION;
	ring->header_bytes = (uint32_t)header_bytes;
	ring->commits_last = port_commits_last();
	ring->closed = 0;
	ring->room = mode == DWELL_MODE_STREAM ? data : 0;
	ring->waiting = 0;
	ring->held = 0;
	ring->held_ticks = ring->held_end_ticks = 0;
	ring->held_pos = 0;
	ring->refused = 0;
	for (dwell_pos pos = 0; !ring->commits_last && !is_zero && pos < data; pos += DWELL_BLOCK_BYTES)
		dwell_ring_clear_block(ring, pos);
	port_publish();
	ring->magic = DWELL_RING_MAGIC;
	return ring;
}
