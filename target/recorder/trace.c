/* SPDX-License-Identifier: MIT
 *
 * The slow path of the trace recorder. A handler that records into the same ring may interrupt it at any instruction, so every step is:
 * read pos, decide, push at exactly that pos. A push that fails means that somebody recorded in between, and the decision is made again.
 */
#include "recorder/trace.h"

static bool is_block_head(dwell_pos pos)
{
	return (pos & (DWELL_BLOCK_BYTES - 1)) == 0;
}

/* Slots left in the block of pos. */
static unsigned room_in_block(dwell_pos pos)
{
	return (DWELL_BLOCK_BYTES - (unsigned)(pos & (DWELL_BLOCK_BYTES - 1))) / DWELL_SLOT_BYTES;
}

static bool push_time(struct dwell_ring *ring, dwell_pos pos, uint32_t high)
{
	uint64_t slot = dwell_slot_make(DWELL_TAG_TIME, high);

	/* The tag first, then the epoch: a handler in between finds the epoch stale and says the time once more. */
	if (!port_push(ring, pos, &slot, 1))
		return false;
	ring->epoch = high;
	return true;
}

static void clear_block(struct dwell_ring *ring, dwell_pos pos)
{
	for (dwell_pos p = pos; p != pos + DWELL_BLOCK_BYTES; p += DWELL_SLOT_BYTES)
		*dwell_ring_slot(ring, p) = 0;
}

struct dwell_ring *dwell_ring_begin(void *memory, dwell_pos header_bytes, dwell_pos bytes, enum dwell_mode mode)
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
	ring->bytes = data;
	ring->consumed = 0;
	ring->ready = 0;
	ring->populated = 0;
	ring->clearing = 0;
	ring->lost_events = 0;
	ring->gap_events = 0;
	ring->gap_pops = 0;
	ring->gap_pushes = 0;
	ring->resume = 0;
	ring->stop_ticks = 0;
	ring->mode = mode;
	ring->version = DWELL_RING_VERSION;
	ring->header_bytes = (uint32_t)header_bytes;
	ring->commits_last = port_commits_last();
	ring->unused = 0;
	if (!ring->commits_last) {
		clear_block(ring, 0);
		ring->ready = DWELL_BLOCK_BYTES;
	}
	port_publish();
	ring->magic = DWELL_RING_MAGIC;
	return ring;
}

/* Whether the mode allows the block at pos to be written. */
static bool block_is_free(const struct dwell_ring *ring, dwell_pos pos)
{
	switch (ring->mode) {
	case DWELL_MODE_STREAM:
		return pos + DWELL_BLOCK_BYTES - __atomic_load_n(&ring->consumed, __ATOMIC_ACQUIRE) <= ring->bytes;
	case DWELL_MODE_LINEAR:
		return pos < ring->bytes;
	default:
		return true;
	}
}

/* Zeroes the block at pos and says so, where slots must be found zero. One at a time: a handler that interrupts it and wants the same is
 * refused, since what it wrote would be zeroed under it. False: not now. */
static bool make_ready(struct dwell_ring *ring, dwell_pos pos)
{
	if (!port_compare_exchange(&ring->clearing, 0, 1))
		return false;
	if (ring->ready == pos) {
		clear_block(ring, pos);
		ring->ready = pos + DWELL_BLOCK_BYTES;
	}
	ring->clearing = 0;
	return true;
}

/* Opens the block at pos: its first slot says the time. False: there is no room for it.
 * A block is made ready while the one before it is in use, so that a handler that interrupts the zeroing has a whole block to write to;
 * only one that fills even that is refused. */
static bool open_block(struct dwell_ring *ring, dwell_pos pos)
{
	if (!block_is_free(ring, pos))
		return false;
	port_block_wanted(ring, pos);
	if (!ring->commits_last && ring->ready == pos && !make_ready(ring, pos))
		return false; /* it was not free when its turn to be made ready came */
	if (push_time(ring, pos, (uint32_t)(port_now() >> 32)) && !ring->commits_last && block_is_free(ring, pos + DWELL_BLOCK_BYTES))
		make_ready(ring, pos + DWELL_BLOCK_BYTES);
	return true;
}

/* Counts an event that found no room, and what it does to the stack, so that the gap can be said when there is room again. */
static void lose(struct dwell_ring *ring, enum dwell_event_kind kind)
{
	dwell_pos pushes;

	port_add(&ring->lost_events, 1);
	port_add(&ring->gap_events, 1);
	if (kind == DWELL_ENTER) {
		port_add(&ring->gap_pushes, 1);
		return;
	}
	do {
		pushes = ring->gap_pushes;
		if (!pushes) {
			port_add(&ring->gap_pops, 1);
			return;
		}
	} while (!port_compare_exchange(&ring->gap_pushes, pushes, pushes - 1));
}

static uint32_t saturate(dwell_pos value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* Says the gap at pos: three tags in one push, or none. */
static void push_gap(struct dwell_ring *ring, dwell_pos pos)
{
	/* Taken before they are pushed: a handler that comes in between must not say the same gap again. */
	dwell_pos events = port_take(&ring->gap_events), pops = port_take(&ring->gap_pops), pushes = port_take(&ring->gap_pushes);
	uint64_t slots[3] = {
		dwell_slot_make(DWELL_TAG_LOST, saturate(events)),
		dwell_slot_make(DWELL_TAG_LOST_POPS, saturate(pops)),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, saturate(pushes)),
	};

	if (events && !port_push(ring, pos, slots, 3)) {
		port_add(&ring->gap_events, events);
		port_add(&ring->gap_pops, pops);
		port_add(&ring->gap_pushes, pushes);
	}
}

/* Says that recording was off between stop_ticks and now. */
static void push_resume(struct dwell_ring *ring, dwell_pos pos, uint64_t now)
{
	uint64_t stop = ring->stop_ticks;
	uint64_t slots[4] = {
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(stop >> 32)),
		dwell_slot_make(DWELL_TAG_OFF, (uint32_t)stop),
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(now >> 32)),
		dwell_slot_make(DWELL_TAG_ON, (uint32_t)now),
	};

	if (!port_take(&ring->resume))
		return;
	if (port_push(ring, pos, slots, 4))
		ring->epoch = (uint32_t)(now >> 32);
	else
		ring->resume = 1;
}

/* Brings the ring to where an event of count slots, stamped now, fits at pos. True: it does; false: something was pushed, look again. */
static bool prepare(struct dwell_ring *ring, dwell_pos pos, uint64_t now, unsigned count)
{
	uint32_t high = (uint32_t)(now >> 32);
	unsigned room = room_in_block(pos);

	if (high != ring->epoch) {
		push_time(ring, pos, high);
		return false;
	}
	if (ring->resume || ring->gap_events)
		count = 4;
	if (room < count) {
		push_time(ring, pos, high); /* fills the block up */
		return false;
	}
	if (ring->resume) {
		push_resume(ring, pos, now);
		return false;
	}
	if (ring->gap_events) {
		push_gap(ring, pos);
		return false;
	}
	return true;
}

/* Records tag_count tags and a stamped slot behind them, together or not at all. What finds no room is lost, and counted. */
static void record(struct dwell_ring *ring, const uint64_t *tags, unsigned tag_count, uint32_t low_word)
{
	uint64_t slots[3];

	for (unsigned i = 0; i < tag_count; i++)
		slots[i] = tags[i];
	for (;;) {
		dwell_pos pos = ring->pos;
		uint64_t now;

		if (is_block_head(pos)) {
			if (!open_block(ring, pos)) {
				if (low_word >= DWELL_TAG_LIMIT)
					lose(ring, low_word & 1u ? DWELL_EXIT : DWELL_ENTER);
				return;
			}
			continue;
		}
		now = port_now();
		if (!prepare(ring, pos, now, tag_count + 1))
			continue;
		slots[tag_count] = dwell_slot_make(low_word, (uint32_t)now);
		if (port_push(ring, pos, slots, tag_count + 1))
			return;
	}
}

void dwell_trace_slow(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window)
{
	uint64_t tags[2];
	unsigned tag_count = 0;

	if (thread->state != DWELL_THREAD_RECORDING) {
		if (thread->state != DWELL_THREAD_NEW) {
			port_event_refused(thread);
			return;
		}
		thread->state = DWELL_THREAD_BEGINNING;
		if (!port_thread_begin(thread)) {
			thread->state = DWELL_THREAD_REFUSED;
			port_event_refused(thread);
			return;
		}
		thread->state = DWELL_THREAD_RECORDING;
		thread->fast = thread->ring;
	}
	if (thread->unwound) {
		thread->unwound = 0;
		thread->fast = thread->ring;
		if (kind == DWELL_ENTER)
			tags[tag_count++] = dwell_slot_make(DWELL_TAG_CALLER, (uint32_t)site);
	}
	if (window)
		tags[tag_count++] = dwell_slot_make(DWELL_TAG_WINDOW, (uint32_t)(place >> 32));
	record(thread->ring, tags, tag_count, ((uint32_t)place & ~1u) | kind);
}

void dwell_trace_unwind(struct dwell_thread *thread, enum dwell_tag tag)
{
	struct dwell_ring *ring = thread->ring;

	if (thread->state != DWELL_THREAD_RECORDING)
		return;
	thread->unwound = 1;
	thread->fast = 0;
	record(ring, 0, 0, tag);
}
