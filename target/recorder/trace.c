/* SPDX-License-Identifier: MIT
 *
 * The slow path of the trace recorder. A handler that records into the same ring may interrupt it at any instruction. So
 * every step reads pos, decides, and pushes at exactly that pos. A push fails if a handler has recorded in between; then
 * the decision is made again.
 */
#include "recorder/tags.h"
#include "recorder/trace.h"

static bool is_block_head(dwell_pos pos)
{
	return (pos & (DWELL_BLOCK_BYTES - 1)) == 0;
}

/* Returns the number of free slots in the block of pos. */
static unsigned room_in_block(dwell_pos pos)
{
	return (DWELL_BLOCK_BYTES - (unsigned)(pos & (DWELL_BLOCK_BYTES - 1))) / DWELL_SLOT_BYTES;
}

/* Whether the mode allows the block at pos to be written. */
static bool block_is_free(const struct dwell_ring *ring, dwell_pos pos)
{
	dwell_pos consumed = ring->consumed;

	/* This fence comes before any use of slots that the drainer zeroed before moving consumed. A fence, since small
	 * processors have no atomic load. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	switch (ring->mode) {
	case DWELL_MODE_STREAM:
		return pos + DWELL_BLOCK_BYTES - consumed <= ring->room;
	case DWELL_MODE_LINEAR:
		return pos < ring->bytes;
	default:
		return !ring->room || pos + DWELL_BLOCK_BYTES - consumed <= ring->room;
	}
}

/* Zeroes the block at pos and moves ready behind the block. False: this code has interrupted itself, in a handler. The handler gets
 * no block, since the interrupted code would go on to zero the handler's events. */
static bool make_ready(struct dwell_ring *ring, dwell_pos pos)
{
	if (!port_compare_exchange(&ring->clearing, 0, 1))
		return false;
	if (ring->ready == pos) {
		dwell_ring_clear_block(ring, pos);
		ring->ready = pos + DWELL_BLOCK_BYTES;
	}
	ring->clearing = 0;
	return true;
}

/* Opens the block at pos by a TIME tag. DWELL_WAIT_ROOM: read ring->pos again, since the block is open or a handler has recorded;
 * any other result: no room. Opening a block also zeroes the next block. So a handler that interrupts the zeroing has a whole block
 * to write to; only a handler that fills even this block loses events. */
static enum dwell_wait make_block(struct dwell_ring *ring, dwell_pos pos)
{
	bool clears = ring->mode == DWELL_MODE_RING && !ring->commits_last;
	enum dwell_wait result = DWELL_WAIT_ROOM;

	if (!block_is_free(ring, pos)) /* if nothing may be lost, the thread waits for the drainer or reader */
		result = ring->mode == DWELL_MODE_LINEAR ? DWELL_WAIT_NONE : port_block_wait(ring, pos);
	/* After a wait in vain a ring overwrites the block; only a stream loses events. */
	if (result == DWELL_WAIT_NONE || result == DWELL_WAIT_FAILED)
		ring->refused = ring->consumed + 1;
	if (result != DWELL_WAIT_ROOM && (result == DWELL_WAIT_RING_LOST || ring->mode != DWELL_MODE_RING))
		return result;
	port_block_wanted(ring, pos);
	if (clears && ring->ready == pos && !make_ready(ring, pos))
		return DWELL_WAIT_NONE;
	if (dwell_tags_write_head(ring, pos, (uint32_t)(port_now() >> 32)) && clears && ring->ready == pos + DWELL_BLOCK_BYTES)
		make_ready(ring, pos + DWELL_BLOCK_BYTES);
	return DWELL_WAIT_ROOM;
}

/* Calls make_block, and counts the time as work of the recorder: the next event writes HELD. Work shorter than PORT_WORK_TICKS is
 * not recorded. */
static enum dwell_wait open_block(struct dwell_ring *ring, dwell_pos pos)
{
	bool began = dwell_tags_begin_held(ring, pos);
	enum dwell_wait result = make_block(ring, pos);

	if (!began || result == DWELL_WAIT_RING_LOST || ring->held != DWELL_RESUME_DUE)
		return result;
	if (result == DWELL_WAIT_FAILED)
		ring->held_end_ticks = port_now(); /* the wait is over; from here on events are lost */
	else if (result == DWELL_WAIT_NONE || port_now() - ring->held_ticks < PORT_WORK_TICKS)
		ring->held = DWELL_RESUME_NOTHING;
	return result;
}

/* Notes that only frames entered from now on are certainly open. */
static void note_unknown_gap(struct dwell_ring *ring)
{
	ring->gap_is_unknown = 1;
	port_take(&ring->gap_pushes);
}

/* Counts the effect of a lost event on the stack. */
static inline void lose_frame(struct dwell_ring *ring, enum dwell_event_kind kind)
{
	dwell_pos pushes;

	if (kind == DWELL_ENTER) {
		port_add(&ring->gap_pushes, 1);
		return;
	}
	do
		pushes = ring->gap_pushes;
	while (pushes && !port_compare_exchange(&ring->gap_pushes, pushes, pushes - 1));
	if (!pushes)
		port_add(&ring->gap_pops, 1);
}

/* Counts a lost event and its effect on the stack, for the gap that is written when the ring has room again. The gap belongs to the
 * stack of the last STACK tag, since a full ring takes no STACK tag in between. lands: the event would have shown which frames an
 * unwind left. */
static void lose_event(struct dwell_ring *ring, enum dwell_event_kind kind, uint32_t stack, bool lands)
{
	bool is_elsewhere = stack != dwell_tags_stack_number(ring->stack); /* the depth of the event's stack is unknown */

	if (lands || is_elsewhere)
		note_unknown_gap(ring);
	if (!is_elsewhere)
		lose_frame(ring, kind);
	/* Last, since gap_events makes the gap due, and a gap needs its frames. */
	port_add(&ring->gap_events, 1);
	port_add(&ring->lost_events, 1);
	dwell_tags_set_epoch(ring);
}

/* Counts the event as lost, if the ring was full at the event before and still is, and the event is an ordinary one on the stack of
 * the last STACK tag. A program that loses events loses many: each takes less time than recording it would. */
static bool lose_another(struct dwell_ring *ring, uintptr_t pointer, enum dwell_event_kind kind)
{
	if (ring->refused != ring->consumed + 1 || !ring->gap_events || ring->mode == DWELL_MODE_RING || !is_block_head(ring->pos))
		return false;
	if (ring->unwound || ring->resume || ring->reports_stack || pointer - ring->stack_low >= ring->stack_bytes)
		return false;
	lose_frame(ring, kind);
	port_add(&ring->gap_events, 1);
	port_add(&ring->lost_events, 1);
	return true;
}

/* Counts a lost event that opens and closes no frame: a mark, or an entry without an exit. */
static void lose_frameless_event(struct dwell_ring *ring)
{
	port_add(&ring->gap_events, 1);
	port_add(&ring->lost_events, 1);
}

/* Prepares the ring for an event of count slots, stamped now, at pos: pushes one tag that is due. True: no tag is due, and the
 * event fits. False: a tag was pushed, or the push failed: read pos again. before_held: the event precedes the recorder's work,
 * whose HELD is due. */
static bool prepare_ring(struct dwell_ring *ring, dwell_pos pos, uint64_t now, unsigned count, bool before_held)
{
	uint32_t high = (uint32_t)(now >> 32);
	bool resume = dwell_tags_resume_is_due(ring, pos), held = !before_held && dwell_tags_held_is_due(ring, pos);
	bool gap = ring->gap_events || ring->gap_is_unknown;

	if (room_in_block(pos) < (resume || held || gap ? 4 : count))
		dwell_tags_write_time(ring, pos, high); /* fills the rest of the block */
	else if (resume && !(held && ring->held_ticks < ring->stop_ticks))
		dwell_tags_write_resume(ring, pos, held ? ring->held_ticks : now);
	else if (held)
		dwell_tags_write_held(ring, pos, now);
	else if (gap)
		dwell_tags_write_gap(ring, pos);
	else if (high != ring->last_tag)
		dwell_tags_write_time(ring, pos, high);
	else
		return true;
	return false;
}

/* An event to be recorded. */
struct event {
	uint32_t low_word; /* low word of its slot */
	uint32_t high;     /* high half of the place, for a WINDOW */
	uint32_t site;     /* low half of the call site; 0: unknown */
	bool window;       /* the event needs a WINDOW */
	bool settles; /* the event shows where an unwind landed */
	bool lands;   /* settles, by an enter or a mark: the call site is in the landing function. (An exit shows its place) */
	bool entry_only; /* an enter without an exit */
	uint32_t stack;      /* number of the event's stack, with DWELL_STACK_BEGINS */
	dwell_pos last_tag;      /* value of ring->stack when make_slots() decided about a STACK tag */
	uint32_t text;       /* of a mark: index of its text */
	const uint64_t *values; /* arguments, or the returned value */
	unsigned value_count;
	const uint32_t *landed; /* of an unwind: payloads of LANDED */
	unsigned landed_count;
	/* The recorder's own work (dwell_trace_work_begin) has found this unwind: the frames were left before that work began. */
	bool precedes_work;
};

/* Only ports with PORT_ARGS pass values; all other ports save this stack space. */
#ifdef PORT_ARGS
#define VALUE_SLOTS_MAX (2 * DWELL_ARGS_MAX)
#else
#define VALUE_SLOTS_MAX 0
#endif

/* Either a stack, an unwind, its caller (or an entry), a window and the event; or, instead of the last two, a mark and its text; or
 * a stack, an unwind and where it landed. */
#define EVENT_SLOTS_MAX (5 + VALUE_SLOTS_MAX)

/* Makes the slots of arguments, or of the returned value. Returns how many. */
static unsigned make_values(const struct event *event, uint64_t *slots)
{
	uint32_t tag = event->low_word & 1u ? DWELL_TAG_RET : DWELL_TAG_ARG;
	unsigned count = 0;

	for (unsigned i = 0; i < event->value_count && count + 2 <= VALUE_SLOTS_MAX; i++) {
		slots[count++] = dwell_slot_make(tag, (uint32_t)event->values[i]);
		if (event->values[i] >> 32)
			slots[count++] = dwell_slot_make(tag + 1, (uint32_t)(event->values[i] >> 32));
	}
	return count;
}

/* Makes all slots of an event, stamped now, in the order in which they are pushed. Returns how many. */
static unsigned make_slots(const struct dwell_ring *ring, struct event *event, uint64_t now, uint64_t slots[EVENT_SLOTS_MAX])
{
	unsigned count = 0;

	event->last_tag = ring->stack;
	if (event->stack != dwell_tags_stack_number(event->last_tag))
		slots[count++] = dwell_slot_make(DWELL_TAG_STACK, event->stack);
	if (event->lands && ring->unwind_tag_due)
		slots[count++] = dwell_slot_make((uint32_t)ring->unwound, (uint32_t)now);
	if (event->lands)
		slots[count++] = dwell_slot_make(DWELL_TAG_CALLER, event->site);
	if (event->entry_only)
		slots[count++] = dwell_slot_make(DWELL_TAG_ENTRY, event->site);
	if (event->window)
		slots[count++] = dwell_slot_make(DWELL_TAG_WINDOW, event->high);
	slots[count++] = dwell_slot_make(
		event->low_word, event->low_word == DWELL_TAG_STACK ? dwell_tags_stack_number(event->last_tag) : (uint32_t)now);
	if (event->low_word == DWELL_TAG_MARK)
		slots[count++] = dwell_slot_make(DWELL_TAG_MARK_TEXT, event->text);
	if (event->value_count)
		count += make_values(event, slots + count);
	for (unsigned i = 0; i < event->landed_count && count < EVENT_SLOTS_MAX; i++)
		slots[count++] = dwell_slot_make(DWELL_TAG_LANDED, event->landed[i]);
	return count;
}

/* Records an event together with its tags, or nothing. False: no room; the event is counted as lost. */
static bool record_event(struct dwell_ring *ring, struct event *event)
{
	uint64_t slots[EVENT_SLOTS_MAX];

	for (;;) {
		dwell_pos pos = ring->pos;
		uint64_t now;
		unsigned count;
		bool before_held;

		if (is_block_head(pos)) {
			enum dwell_wait result = open_block(ring, pos);

			if (result == DWELL_WAIT_ROOM)
				continue;
			if (result != DWELL_WAIT_RING_LOST && event->low_word >= DWELL_TAG_LIMIT && !event->entry_only)
				lose_event(ring, event->low_word & 1u ? DWELL_EXIT : DWELL_ENTER, event->stack, event->settles);
			return false;
		}
		before_held = event->precedes_work && dwell_tags_held_is_due(ring, pos) && !dwell_tags_resume_is_due(ring, pos);
		now = before_held ? ring->held_ticks : port_now();
		count = make_slots(ring, event, now, slots);
		if (prepare_ring(ring, pos, now, count, before_held) && port_push(ring, pos, slots, count))
			return true;
	}
}

/* Whether the event belongs to a handler that runs between an unwind and the next event of the landing function: then its calls do
 * not show the landing. The handler runs on top of frames that the unwind has left. After the handler, the unwind's tag must be
 * written again. Counts the handler's open calls. */
static bool is_handler(struct dwell_ring *ring, uint64_t site, enum dwell_event_kind kind)
{
	if (!ring->handler_depth && (kind == DWELL_EXIT || !port_site_is_interrupt((uintptr_t)site)))
		return false;
	ring->handler_depth += kind == DWELL_ENTER ? 1u : -1u;
	ring->unwind_tag_due = 1;
	return true;
}

/* Begins a new thread. Returns whether the thread has a ring. */
static bool is_recording(struct dwell_thread *thread)
{
	if (thread->state == DWELL_THREAD_NEW)
		port_thread_begin(thread);
	return thread->state == DWELL_THREAD_RECORDING;
}

/* Frames are left, or may have been: the next enter or mark also records its call site. */
static void begin_unwound(struct dwell_ring *ring, enum dwell_tag tag)
{
	ring->epoch =
		~ring->last_tag; /* first: from here on a handler takes the slow path, where is_handler() notices the handler */
	ring->handler_depth = 0;
	ring->unwind_tag_due = 0;
	ring->unwound = tag;
	dwell_tags_set_epoch(ring); /* a handler that ran before this has reset the epoch */
}

/* Returns the stack that an event with this stack pointer is on. */
static struct dwell_stack find_stack(struct dwell_ring *ring, uintptr_t pointer, enum dwell_event_kind kind)
{
	struct dwell_stack stack = {
		.number = dwell_tags_stack_number(ring->stack), .low = ring->stack_low, .bytes = ring->stack_bytes};

	if (ring->reports_stack)
		return (struct dwell_stack){.number = ring->reported_stack, .bytes = UINTPTR_MAX};
	if (pointer - stack.low >= stack.bytes)
		port_find_stack(ring, pointer, kind == DWELL_ENTER, &stack);
	return stack;
}

/* Opens the fast path for events on this stack, whose STACK tag was just written; `last_tag` is ring->stack before that tag.
 * Meanwhile a handler may have written another STACK tag, or this code may belong to a coroutine that was suspended here. Then the
 * last STACK
 * tag stands, and the next event writes a new STACK tag. */
static void begin_stack(struct dwell_ring *ring, dwell_pos last_tag, const struct dwell_stack *stack)
{
	if (dwell_tags_stack_number(last_tag) != stack->number)
		port_compare_exchange(
			&ring->stack, last_tag, (last_tag & ~(DWELL_STACK_COUNT - 1)) + DWELL_STACK_COUNT + stack->number);
	if (ring->stack_low != stack->low || ring->stack_bytes != stack->bytes) {
		ring->stack_bytes = 0;
		ring->stack_low = stack->low;
		ring->stack_bytes = stack->bytes;
	}
	if (dwell_tags_stack_number(ring->stack) != stack->number)
		ring->stack_bytes = 0;
}

/* Moves a place below DWELL_TAG_LIMIT above it: the low word of an event must not be a tag. */
static void raise_place(struct event *event)
{
	if (event->low_word >= DWELL_TAG_LIMIT)
		return;
	event->low_word += DWELL_TAG_LIMIT;
	event->high |= DWELL_WINDOW_RAISED;
	event->window = true;
}

void dwell_trace_slow(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer)
{
	dwell_trace_values(thread, place, site, kind, window, pointer, 0, 0);
}

/* Not inlined: dwell_trace_values saves and clears nothing for an event that is lost. */
static __attribute__((noinline)) void record_values(struct dwell_ring *ring, uint64_t place, uint64_t site,
	enum dwell_event_kind kind, bool window, uintptr_t pointer, const uint64_t *values, unsigned value_count)
{
	struct event event = {.low_word = ((uint32_t)place & ~1u) | kind,
		.high = (uint32_t)(place >> 32),
		.site = (uint32_t)site,
		.window = window,
		.values = values,
		.value_count = value_count};
	struct dwell_stack stack;

	raise_place(&event);
	/* The stop may have hidden unwinds. The epoch is stale already. */
	if (ring->resume)
		port_compare_exchange(&ring->unwound, 0, DWELL_TAG_UNWIND_JUMP);
	event.settles = ring->unwound && !is_handler(ring, site, kind);
	event.lands = event.settles && kind == DWELL_ENTER;
	stack = find_stack(ring, pointer, kind);
	event.stack = stack.number | (stack.begins ? DWELL_STACK_BEGINS : 0);
	if (record_event(ring, &event))
		begin_stack(ring, event.last_tag, &stack);
	if (event.settles) {
		/* Only after the event is recorded: before that, a handler must find the landing still open. */
		ring->unwind_tag_due = 0;
		ring->unwound = 0;
	}
	dwell_tags_set_epoch(ring);
}

void dwell_trace_values(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer, const uint64_t *values, unsigned value_count)
{
	struct dwell_ring *ring = is_recording(thread) ? thread->ring : 0;

	if (!ring)
		port_event_refused(thread);
	else if (!lose_another(ring, pointer, kind))
		record_values(ring, place, site, kind, window, pointer, values, value_count);
}

void dwell_trace_entry(struct dwell_thread *thread, uint64_t place, uint64_t site, bool window, uintptr_t pointer)
{
	struct event event = {.low_word = (uint32_t)place & ~1u,
		.high = (uint32_t)(place >> 32),
		.site = (uint32_t)site,
		.window = window,
		.entry_only = true};
	struct dwell_stack stack;
	struct dwell_ring *ring;

	if (!is_recording(thread) || !(ring = thread->ring)) {
		port_event_refused(thread);
		return;
	}
	raise_place(&event);
	if (ring->resume)
		port_compare_exchange(&ring->unwound, 0, DWELL_TAG_UNWIND_JUMP);
	/* unwound stays set: the caller of this entry need not be a function that is open. */
	stack = find_stack(ring, pointer, DWELL_ENTER);
	event.stack = stack.number | (stack.begins ? DWELL_STACK_BEGINS : 0);
	if (record_event(ring, &event))
		begin_stack(ring, event.last_tag, &stack);
	else
		lose_frameless_event(ring);
	dwell_tags_set_epoch(ring);
}

void dwell_trace_mark(struct dwell_thread *thread, uint64_t site, uint32_t text, uintptr_t pointer)
{
	struct event event = {.low_word = DWELL_TAG_MARK, .site = (uint32_t)site, .text = text};
	struct dwell_stack stack;
	struct dwell_ring *ring;

	if (!is_recording(thread) || !(ring = thread->ring)) {
		port_event_refused(thread);
		return;
	}
	if (ring->resume)
		port_compare_exchange(&ring->unwound, 0, DWELL_TAG_UNWIND_JUMP);
	/* As for an enter; but a mark does not change handler_depth, which counts the handler's enters and exits. */
	event.lands = ring->unwound && !ring->handler_depth && !port_site_is_interrupt((uintptr_t)site);
	stack = find_stack(ring, pointer, DWELL_EXIT);
	event.stack = stack.number;
	if (record_event(ring, &event))
		begin_stack(ring, event.last_tag, &stack);
	else
		lose_frameless_event(ring);
	if (event.lands) {
		ring->unwind_tag_due = 0;
		ring->unwound = 0;
	}
	dwell_tags_set_epoch(ring);
}

void dwell_trace_unwind(struct dwell_thread *thread, enum dwell_tag tag, const struct dwell_ring *work)
{
	struct event event = {.low_word = tag, .precedes_work = work};
	struct dwell_ring *ring = thread->ring;

	if (!ring || thread->state != DWELL_THREAD_RECORDING)
		return;
	event.stack = dwell_tags_stack_number(ring->stack);
	begin_unwound(ring, tag);
	if (!record_event(ring, &event))
		ring->unwind_tag_due = 1;
}

void dwell_trace_landed(
	struct dwell_thread *thread, enum dwell_tag tag, const uint32_t *landed, unsigned count, const struct dwell_ring *work)
{
	struct event event = {.low_word = tag, .landed = landed, .landed_count = count, .precedes_work = work};
	struct dwell_ring *ring = thread->ring;

	if (!ring || thread->state != DWELL_THREAD_RECORDING)
		return;
	event.stack = dwell_tags_stack_number(ring->stack);
	if (record_event(ring, &event)) {
		/* This landing replaces an earlier unwind that still waits for a landing. */
		ring->handler_depth = 0;
		ring->unwind_tag_due = 0;
		ring->unwound = 0;
		dwell_tags_set_epoch(ring);
	} else {
		note_unknown_gap(ring);
		dwell_tags_set_epoch(ring);
	}
}

struct dwell_ring *dwell_trace_work_begin(struct dwell_thread *thread)
{
	struct dwell_ring *ring = thread->ring;

	if (!ring || thread->state != DWELL_THREAD_RECORDING || !dwell_tags_begin_held(ring, ring->pos))
		return 0;
	return ring;
}

void dwell_trace_work_end(struct dwell_thread *thread, struct dwell_ring *ring)
{
	if (!ring || thread->ring != ring)
		return;
	for (dwell_pos pos = ring->pos; dwell_tags_held_is_due(ring, pos); pos = ring->pos) {
		if (!is_block_head(pos)) {
			prepare_ring(ring, pos, port_now(), 0, false);
		} else if (open_block(ring, pos) != DWELL_WAIT_ROOM) {
			if (!ring->held_end_ticks)
				ring->held_end_ticks = port_now(); /* written when there is room */
			break;
		}
	}
	dwell_tags_set_epoch(ring);
}

void dwell_trace_switch(struct dwell_thread *thread, uint32_t stack)
{
	struct dwell_ring *ring;

	if (!is_recording(thread) || !(ring = thread->ring))
		return;
	ring->reported_stack = stack;
	ring->reports_stack = 1;
	dwell_tags_set_epoch(ring);
}

void dwell_trace_stack_ended(struct dwell_thread *thread, uint32_t stack)
{
	struct event event = {.low_word = DWELL_TAG_STACK, .stack = stack | DWELL_STACK_BEGINS};

	/* Writes the ended stack with BEGINS, and then the current stack again, in one push. */
	if (!thread->ring || thread->state != DWELL_THREAD_RECORDING || record_event(thread->ring, &event))
		return;
	note_unknown_gap(thread->ring); /* the calls open on that stack are over, but no tag records that */
	dwell_tags_set_epoch(thread->ring);
}
