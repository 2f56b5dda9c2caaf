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

/* Of the ring's word about the stack: which, and a count, so that one that was said again is told from one that never changed. */
#define STACK_COUNT ((dwell_pos)1 << sizeof(dwell_pos) * 4)

static uint32_t said_stack(dwell_pos word)
{
	return (uint32_t)(word & (STACK_COUNT - 1));
}

/* What waits to be said: later, between the calls of a handler, it would be wrong. */
static bool must_say(const struct dwell_ring *ring)
{
	return ring->resume || ring->gap_events || ring->unwound || ring->closed || ring->watched ||
	       (ring->stack_marked && ring->stack_wanted != said_stack(ring->stack));
}

/* Opens the fast way, or closes it. */
static void set_epoch(struct dwell_ring *ring)
{
	uint32_t said = ring->said;

	if (!must_say(ring))
		ring->epoch = said;
	if (must_say(ring)) /* also when a handler came between */
		ring->epoch = ~said;
}

static bool push_time(struct dwell_ring *ring, dwell_pos pos, uint32_t high)
{
	uint64_t slot = dwell_slot_make(DWELL_TAG_TIME, high);

	/* The tag first: a handler in between finds the time not said, and says it once more. */
	if (!port_push(ring, pos, &slot, 1))
		return false;
	ring->said = high;
	set_epoch(ring);
	return true;
}

/* What a block begins with: it can be understood without those before it. */
static bool push_head(struct dwell_ring *ring, dwell_pos pos, uint32_t high)
{
	dwell_pos said = ring->stack;
	uint64_t slots[2] = {dwell_slot_make(DWELL_TAG_TIME, high), dwell_slot_make(DWELL_TAG_STACK, said_stack(said))};

	if (!said_stack(said))
		return push_time(ring, pos, high);
	if (!port_push(ring, pos, slots, 2))
		return false;
	/* It was said once more: whoever is about to remember that he said another one must see it. */
	port_compare_exchange(&ring->stack, said, said + STACK_COUNT);
	ring->said = high;
	set_epoch(ring);
	return true;
}

static void clear_block(struct dwell_ring *ring, dwell_pos pos)
{
	for (dwell_pos p = pos; p != pos + DWELL_BLOCK_BYTES; p += DWELL_SLOT_BYTES)
		*dwell_ring_slot(ring, p) = 0;
}

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
	ring->said = 0;
	ring->unwound = 0;
	ring->unwound_again = 0;
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
	ring->resume = DWELL_RESUME_NOTHING;
	ring->resume_pos = 0;
	ring->stop_ticks = 0;
	ring->stack = 0;
	ring->stack_marked = 0;
	ring->stack_wanted = 0;
	ring->stack_low = 0;
	ring->stack_bytes = 0;
	ring->mode = mode;
	ring->version = DWELL_RING_VERSION;
	ring->header_bytes = (uint32_t)header_bytes;
	ring->commits_last = port_commits_last();
	ring->closed = 0;
	ring->watched = 0;
	ring->room = data;
	for (dwell_pos pos = 0; !ring->commits_last && !is_zero && pos < data; pos += DWELL_BLOCK_BYTES)
		clear_block(ring, pos);
	port_publish();
	ring->magic = DWELL_RING_MAGIC;
	return ring;
}

/* Whether the mode allows the block at pos to be written. */
static bool block_is_free(const struct dwell_ring *ring, dwell_pos pos)
{
	dwell_pos consumed = ring->consumed;

	/* What the drainer took and zeroed before it moved that. A fence, since small processors have no atomic load. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	switch (ring->mode) {
	case DWELL_MODE_STREAM:
		return pos + DWELL_BLOCK_BYTES - consumed <= ring->room;
	case DWELL_MODE_LINEAR:
		return pos < ring->bytes;
	default:
		return true;
	}
}

/* Zeroes the block at pos and says so. One at a time: a handler that interrupts it and wants the same is refused, since what it wrote
 * would be zeroed under it. False: not now. */
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

/* Where nothing may be lost, the thread waits for who drains. It spends that time in no function: recording was off, it says. */
static bool wait_for_block(struct dwell_ring *ring, dwell_pos pos)
{
	uint64_t began = port_now();

	if (ring->mode != DWELL_MODE_STREAM || !port_block_wait(ring, pos))
		return false;
	if (ring->pos == pos && !ring->resume) { /* no handler has recorded meanwhile */
		ring->stop_ticks = began;
		ring->resume = DWELL_RESUME_DUE;
		set_epoch(ring);
	}
	return true;
}

/* Opens the block at pos: its first slot says the time. False: there is no room for it.
 * A block is made ready while the one before it is in use, so that a handler that interrupts the zeroing has a whole block to write to;
 * only one that fills even that is refused. */
static bool open_block(struct dwell_ring *ring, dwell_pos pos)
{
	bool clears = ring->mode == DWELL_MODE_RING && !ring->commits_last;

	if (!block_is_free(ring, pos) && !wait_for_block(ring, pos))
		return false;
	port_block_wanted(ring, pos);
	if (clears && ring->ready == pos && !make_ready(ring, pos))
		return false;
	if (push_head(ring, pos, (uint32_t)(port_now() >> 32)) && clears && ring->ready == pos + DWELL_BLOCK_BYTES)
		make_ready(ring, pos + DWELL_BLOCK_BYTES);
	return true;
}

/* Counts an event that found no room, and what it does to the stack, so that the gap can be said when there is room again: to the stack
 * that was said last, since no other can have been said in between. */
static void lose(struct dwell_ring *ring, enum dwell_event_kind kind, uint32_t stack)
{
	dwell_pos pushes;

	if (stack != said_stack(ring->stack)) {
		/* how deep the others are then is not known */
	} else if (kind == DWELL_ENTER) {
		port_add(&ring->gap_pushes, 1);
	} else {
		do
			pushes = ring->gap_pushes;
		while (pushes && !port_compare_exchange(&ring->gap_pushes, pushes, pushes - 1));
		if (!pushes)
			port_add(&ring->gap_pops, 1);
	}
	/* Last, since it is what makes the gap be said: never without its frames. */
	port_add(&ring->gap_events, 1);
	port_add(&ring->lost_events, 1);
	set_epoch(ring);
}

/* One that opens nothing. */
static void lose_alone(struct dwell_ring *ring)
{
	port_add(&ring->gap_events, 1);
	port_add(&ring->lost_events, 1);
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

	if (!port_push(ring, pos, slots, 3)) {
		port_add(&ring->gap_pops, pops);
		port_add(&ring->gap_pushes, pushes);
		port_add(&ring->gap_events, events);
		set_epoch(ring);
	}
}

/* Nothing but the stop is said at resume_pos, so when pos has left it, it was: by whoever began, or by a handler on top of that. */
static bool is_resume_due(struct dwell_ring *ring, dwell_pos pos)
{
	if (ring->resume == DWELL_RESUME_BEGUN && ring->resume_pos != pos)
		port_compare_exchange(&ring->resume, DWELL_RESUME_BEGUN, DWELL_RESUME_NOTHING);
	return ring->resume != DWELL_RESUME_NOTHING;
}

/* Says that recording was off between stop_ticks and now: four tags in one push, or none. */
static void push_resume(struct dwell_ring *ring, dwell_pos pos, uint64_t now)
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
		ring->said = (uint32_t)(now >> 32);
}

/* Brings the ring to where an event of count slots, stamped now, fits at pos. True: it does; false: something was pushed, look again. */
static bool prepare(struct dwell_ring *ring, dwell_pos pos, uint64_t now, unsigned count)
{
	uint32_t high = (uint32_t)(now >> 32);
	bool resume = is_resume_due(ring, pos), gap = ring->gap_events != 0;

	if (room_in_block(pos) < (resume || gap ? 4 : count))
		push_time(ring, pos, high); /* fills the block up */
	else if (resume)
		push_resume(ring, pos, now);
	else if (gap)
		push_gap(ring, pos);
	else if (high != ring->said)
		push_time(ring, pos, high);
	else
		return true;
	return false;
}

/* What is to be recorded. */
struct event {
	uint32_t low_word; /* of its slot */
	uint32_t high;     /* of its place, for a WINDOW */
	uint32_t site;
	bool window;
	bool lands; /* an enter: an unwind went to the function that site is in */
	bool entry_only; /* an enter that no exit follows */
	uint32_t stack;      /* that it is on, with DWELL_STACK_BEGINS */
	dwell_pos said;      /* of the ring, when it was decided whether to say that */
	uint32_t text;       /* of a mark */
	const uint64_t *values; /* arguments, or what is returned */
	unsigned value_count;
	const uint32_t *landed; /* of an unwind: payloads of LANDED */
	unsigned landed_count;
};

/* Where a port gives them; else their room on the stack is not needed. */
#ifdef PORT_ARGS
#define VALUE_SLOTS_MAX (2 * DWELL_ARGS_MAX)
#else
#define VALUE_SLOTS_MAX 0
#endif

/* A stack, an unwind, its caller (or an entry), a window, the event; or instead of the last two a mark and its text; or a stack, an unwind
 * and where it landed. */
#define EVENT_SLOTS_MAX (5 + VALUE_SLOTS_MAX)

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

static unsigned make_slots(const struct dwell_ring *ring, struct event *event, uint64_t now, uint64_t slots[EVENT_SLOTS_MAX])
{
	unsigned count = 0;

	event->said = ring->stack;
	if (event->stack != said_stack(event->said))
		slots[count++] = dwell_slot_make(DWELL_TAG_STACK, event->stack);
	if (event->lands && ring->unwound_again)
		slots[count++] = dwell_slot_make((uint32_t)ring->unwound, (uint32_t)now);
	if (event->lands)
		slots[count++] = dwell_slot_make(DWELL_TAG_CALLER, event->site);
	if (event->entry_only)
		slots[count++] = dwell_slot_make(DWELL_TAG_ENTRY, event->site);
	if (event->window)
		slots[count++] = dwell_slot_make(DWELL_TAG_WINDOW, event->high);
	slots[count++] = dwell_slot_make(event->low_word, event->low_word == DWELL_TAG_STACK ? said_stack(event->said) : (uint32_t)now);
	if (event->low_word == DWELL_TAG_MARK)
		slots[count++] = dwell_slot_make(DWELL_TAG_MARK_TEXT, event->text);
	if (event->value_count)
		count += make_values(event, slots + count);
	for (unsigned i = 0; i < event->landed_count && count < EVENT_SLOTS_MAX; i++)
		slots[count++] = dwell_slot_make(DWELL_TAG_LANDED, event->landed[i]);
	return count;
}

/* Records an event with its tags, together or not at all. False: there is no room; it is counted as lost. */
static bool record(struct dwell_ring *ring, struct event *event)
{
	uint64_t slots[EVENT_SLOTS_MAX];

	for (;;) {
		dwell_pos pos = ring->pos;
		uint64_t now;
		unsigned count;

		if (is_block_head(pos)) {
			if (open_block(ring, pos))
				continue;
			if (event->low_word >= DWELL_TAG_LIMIT && !event->entry_only)
				lose(ring, event->low_word & 1u ? DWELL_EXIT : DWELL_ENTER, event->stack);
			return false;
		}
		now = port_now();
		count = make_slots(ring, event, now, slots);
		if (prepare(ring, pos, now, count) && port_push(ring, pos, slots, count))
			return true;
	}
}

/* A handler came between an unwind and the next event of where it landed. It runs on top of frames that are gone, and what it calls says
 * nothing about where that is; when it has returned, the unwind must be said once more. */
static bool is_handler(struct dwell_ring *ring, uint64_t site, enum dwell_event_kind kind)
{
	if (!ring->handler_depth && (kind == DWELL_EXIT || !port_site_is_interrupt((uintptr_t)site)))
		return false;
	ring->handler_depth += kind == DWELL_ENTER ? 1u : -1u;
	ring->unwound_again = 1;
	return true;
}

static bool is_recording(struct dwell_thread *thread)
{
	if (thread->state == DWELL_THREAD_NEW)
		port_thread_begin(thread);
	return thread->state == DWELL_THREAD_RECORDING;
}

/* Frames are left, or may have been: the next enter says where it was called from. */
static void begin_unwound(struct dwell_ring *ring, enum dwell_tag tag)
{
	ring->epoch = ~ring->said; /* first: from here on a handler comes by the slow path, and is seen */
	ring->handler_depth = 0;
	ring->unwound_again = 0;
	ring->unwound = tag;
	set_epoch(ring); /* a handler that came before that has opened it again */
}

/* The stack that an event with this pointer is on. */
static struct dwell_stack find_stack(struct dwell_ring *ring, uintptr_t pointer, enum dwell_event_kind kind)
{
	struct dwell_stack stack = {.number = said_stack(ring->stack), .low = ring->stack_low, .bytes = ring->stack_bytes};

	if (ring->stack_marked)
		return (struct dwell_stack){.number = ring->stack_wanted, .bytes = UINTPTR_MAX};
	if (pointer - stack.low >= stack.bytes)
		port_find_stack(ring, pointer, kind == DWELL_ENTER, &stack);
	return stack;
}

/* The stack was said, in place of the one in the word said: opens the fast way to events on it. A handler in between may have done the
 * same for another one, and it may be that this code goes on only when its stack is resumed: then what was said last stays, and the next
 * event finds that it is on another one. */
static void begin_stack(struct dwell_ring *ring, dwell_pos said, const struct dwell_stack *stack)
{
	if (said_stack(said) != stack->number)
		port_compare_exchange(&ring->stack, said, (said & ~(STACK_COUNT - 1)) + STACK_COUNT + stack->number);
	if (ring->stack_low != stack->low || ring->stack_bytes != stack->bytes) {
		ring->stack_bytes = 0;
		ring->stack_low = stack->low;
		ring->stack_bytes = stack->bytes;
	}
	if (said_stack(ring->stack) != stack->number)
		ring->stack_bytes = 0;
}

/* The low word must not be a tag. */
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

void dwell_trace_values(struct dwell_thread *thread, uint64_t place, uint64_t site, enum dwell_event_kind kind, bool window,
	uintptr_t pointer, const uint64_t *values, unsigned value_count)
{
	struct event event = {.low_word = ((uint32_t)place & ~1u) | kind,
		.high = (uint32_t)(place >> 32),
		.site = (uint32_t)site,
		.window = window,
		.values = values,
		.value_count = value_count};
	struct dwell_stack stack;
	struct dwell_ring *ring;
	bool settles;

	if (!is_recording(thread) || !(ring = thread->ring)) {
		port_event_refused(thread);
		return;
	}
	raise_place(&event);
	/* Since a stop frames may be gone. The epoch is stale already. */
	if (ring->resume)
		port_compare_exchange(&ring->unwound, 0, DWELL_TAG_UNWIND_JUMP);
	settles = ring->unwound && !is_handler(ring, site, kind);
	event.lands = settles && kind == DWELL_ENTER; /* an exit says by itself whose it is */
	stack = find_stack(ring, pointer, kind);
	event.stack = stack.number | (stack.begins ? DWELL_STACK_BEGINS : 0);
	if (record(ring, &event))
		begin_stack(ring, event.said, &stack);
	if (settles) {
		/* Not before it is recorded: a handler in between must see that the unwind has not landed. */
		ring->unwound_again = 0;
		ring->unwound = 0;
	}
	set_epoch(ring);
}

void dwell_trace_entry(struct dwell_thread *thread, uint64_t place, uint64_t site, bool window, uintptr_t pointer)
{
	struct event event = {.low_word = (uint32_t)place & ~1u, .high = (uint32_t)(place >> 32), .site = (uint32_t)site, .window = window,
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
	/* An unwind that has not landed stays so: what called this need not be a function that is open. */
	stack = find_stack(ring, pointer, DWELL_ENTER);
	event.stack = stack.number | (stack.begins ? DWELL_STACK_BEGINS : 0);
	if (record(ring, &event))
		begin_stack(ring, event.said, &stack);
	else
		lose_alone(ring);
	set_epoch(ring);
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
	/* As an enter, but that the calls of a handler are told by its enters and exits. */
	event.lands = ring->unwound && !ring->handler_depth && !port_site_is_interrupt((uintptr_t)site);
	stack = find_stack(ring, pointer, DWELL_EXIT);
	event.stack = stack.number;
	if (record(ring, &event))
		begin_stack(ring, event.said, &stack);
	else
		lose_alone(ring);
	if (event.lands) {
		ring->unwound_again = 0;
		ring->unwound = 0;
	}
	set_epoch(ring);
}

void dwell_trace_unwind(struct dwell_thread *thread, enum dwell_tag tag)
{
	struct event event = {.low_word = tag};
	struct dwell_ring *ring = thread->ring;

	if (!ring || thread->state != DWELL_THREAD_RECORDING)
		return;
	event.stack = said_stack(ring->stack);
	begin_unwound(ring, tag);
	if (!record(ring, &event))
		ring->unwound_again = 1;
}

void dwell_trace_landed(struct dwell_thread *thread, enum dwell_tag tag, const uint32_t *landed, unsigned count)
{
	struct event event = {.low_word = tag, .landed = landed, .landed_count = count};
	struct dwell_ring *ring = thread->ring;

	if (!ring || thread->state != DWELL_THREAD_RECORDING)
		return;
	event.stack = said_stack(ring->stack);
	if (record(ring, &event)) {
		/* Where another one landed that waited is of no interest any more. */
		ring->handler_depth = 0;
		ring->unwound_again = 0;
		ring->unwound = 0;
		set_epoch(ring);
	} else {
		begin_unwound(ring, tag);
		ring->unwound_again = 1;
	}
}

void dwell_trace_watch(struct dwell_thread *thread, bool watched)
{
	struct dwell_ring *ring = thread->ring;

	if (!ring || thread->state != DWELL_THREAD_RECORDING)
		return;
	ring->watched = watched;
	set_epoch(ring);
}

void dwell_trace_switch(struct dwell_thread *thread, uint32_t stack)
{
	struct dwell_ring *ring;

	if (!is_recording(thread) || !(ring = thread->ring))
		return;
	ring->stack_wanted = stack;
	ring->stack_marked = 1;
	set_epoch(ring);
}

void dwell_trace_stack_ended(struct dwell_thread *thread, uint32_t stack)
{
	struct event event = {.low_word = DWELL_TAG_STACK, .stack = stack | DWELL_STACK_BEGINS};

	/* Said as a stack that begins, and at once as the one that it was. */
	if (thread->ring && thread->state == DWELL_THREAD_RECORDING)
		record(thread->ring, &event);
}
