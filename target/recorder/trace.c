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
	return ring->resume || ring->held || ring->gap_events || ring->gap_in_doubt || ring->unwound || ring->closed || ring->watched ||
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
		return !ring->room || pos + DWELL_BLOCK_BYTES - consumed <= ring->room;
	}
}

/* Zeroes the block at pos and says so. One at a time: a handler that interrupts it and wants the same is refused, since what it wrote
 * would be zeroed under it. False: not now. */
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

/* As is_resume_due. */
static bool is_held_due(struct dwell_ring *ring, dwell_pos pos)
{
	if (ring->held == DWELL_RESUME_BEGUN && ring->held_pos != pos)
		port_compare_exchange(&ring->held, DWELL_RESUME_BEGUN, DWELL_RESUME_NOTHING);
	return ring->held != DWELL_RESUME_NOTHING;
}

/* Where nothing may be lost, the thread waits for who drains or looks, and says from when to when. When it begins is noted first: a
 * handler that records while it waits says it with its own events, which are later. */
static enum dwell_wait wait_for_block(struct dwell_ring *ring, dwell_pos pos)
{
	bool first = !is_held_due(ring, pos);
	enum dwell_wait result;

	if (ring->mode == DWELL_MODE_LINEAR)
		return DWELL_WAIT_NONE;
	if (first) {
		ring->held_end_ticks = 0;
		ring->held_ticks = port_now();
		if (ring->pos != pos)
			return DWELL_WAIT_ROOM; /* a handler has recorded meanwhile: look again */
		ring->held = DWELL_RESUME_DUE;
		set_epoch(ring); /* a handler says it first */
	}
	result = port_block_wait(ring, pos);
	if (first && result == DWELL_WAIT_NONE)
		ring->held = DWELL_RESUME_NOTHING;
	else if (first && result == DWELL_WAIT_IN_VAIN)
		ring->held_end_ticks = port_now(); /* from here on it loses */
	return result;
}

/* Opens the block at pos: its first slot says the time. There is room then, or another reason to look again; or there is none.
 * A block is made ready while the one before it is in use, so that a handler that interrupts the zeroing has a whole block to write to;
 * only one that fills even that is refused. */
static enum dwell_wait open_block(struct dwell_ring *ring, dwell_pos pos)
{
	bool clears = ring->mode == DWELL_MODE_RING && !ring->commits_last;
	enum dwell_wait result = block_is_free(ring, pos) ? DWELL_WAIT_ROOM : wait_for_block(ring, pos);

	/* A ring overwrites then what nobody has looked at: only a stream loses. */
	if (result != DWELL_WAIT_ROOM && (result == DWELL_WAIT_LEFT || ring->mode != DWELL_MODE_RING))
		return result;
	port_block_wanted(ring, pos);
	if (clears && ring->ready == pos && !make_ready(ring, pos))
		return DWELL_WAIT_NONE;
	if (push_head(ring, pos, (uint32_t)(port_now() >> 32)) && clears && ring->ready == pos + DWELL_BLOCK_BYTES)
		make_ready(ring, pos + DWELL_BLOCK_BYTES);
	return DWELL_WAIT_ROOM;
}

/* From here on only frames that are entered later are known to be open. */
static void doubt_frames(struct dwell_ring *ring)
{
	ring->gap_in_doubt = 1;
	port_take(&ring->gap_pushes);
}

/* Counts an event that found no room, and what it does to the stack, so that the gap can be said when there is room again: to the stack
 * that was said last, since no other can have been said in between. lands: the frames that an unwind left would have been told by it. */
static void lose(struct dwell_ring *ring, enum dwell_event_kind kind, uint32_t stack, bool lands)
{
	bool is_elsewhere = stack != said_stack(ring->stack); /* how deep that one is then is not known */
	dwell_pos pushes;

	if (lands || is_elsewhere)
		doubt_frames(ring);
	if (!is_elsewhere && kind == DWELL_ENTER) {
		port_add(&ring->gap_pushes, 1);
	} else if (!is_elsewhere) {
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
	dwell_pos in_doubt = port_take(&ring->gap_in_doubt) | ring->unwound; /* which may have landed in the gap */
	uint64_t slots[3] = {
		dwell_slot_make(DWELL_TAG_LOST, saturate(events)),
		dwell_slot_make(DWELL_TAG_LOST_POPS, in_doubt ? DWELL_LOST_ALL : saturate(pops)),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, ring->unwound ? 0 : saturate(pushes)),
	};

	if (!port_push(ring, pos, slots, 3)) {
		port_add(&ring->gap_pops, pops);
		port_add(&ring->gap_pushes, pushes);
		ring->gap_in_doubt |= in_doubt;
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

/* Says that the thread waited: four tags in one push, or none. */
static void push_held(struct dwell_ring *ring, dwell_pos pos, uint64_t now)
{
	uint64_t begin = ring->held_ticks, end = ring->held_end_ticks ? ring->held_end_ticks : now;
	uint64_t slots[4] = {
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(begin >> 32)),
		dwell_slot_make(DWELL_TAG_HELD, (uint32_t)begin),
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(end >> 32)),
		dwell_slot_make(DWELL_TAG_HELD_END, (uint32_t)end),
	};

	ring->held_pos = pos;
	ring->held = DWELL_RESUME_BEGUN;
	if (port_push(ring, pos, slots, 4))
		ring->said = (uint32_t)(end >> 32);
}

/* Brings the ring to where an event of count slots, stamped now, fits at pos. True: it does; false: something was pushed, look again. */
static bool prepare(struct dwell_ring *ring, dwell_pos pos, uint64_t now, unsigned count)
{
	uint32_t high = (uint32_t)(now >> 32);
	bool resume = is_resume_due(ring, pos), held = is_held_due(ring, pos), gap = ring->gap_events || ring->gap_in_doubt;

	if (room_in_block(pos) < (resume || held || gap ? 4 : count))
		push_time(ring, pos, high); /* fills the block up */
	else if (resume)
		push_resume(ring, pos, now);
	else if (held)
		push_held(ring, pos, now);
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
	bool settles; /* it tells where an unwind landed: an exit by itself, … */
	bool lands;   /* … an enter by its site, which is in that function */
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
			enum dwell_wait result = open_block(ring, pos);

			if (result == DWELL_WAIT_ROOM)
				continue;
			if (result != DWELL_WAIT_LEFT && event->low_word >= DWELL_TAG_LIMIT && !event->entry_only)
				lose(ring, event->low_word & 1u ? DWELL_EXIT : DWELL_ENTER, event->stack, event->settles);
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

	if (!is_recording(thread) || !(ring = thread->ring)) {
		port_event_refused(thread);
		return;
	}
	raise_place(&event);
	/* Since a stop frames may be gone. The epoch is stale already. */
	if (ring->resume)
		port_compare_exchange(&ring->unwound, 0, DWELL_TAG_UNWIND_JUMP);
	event.settles = ring->unwound && !is_handler(ring, site, kind);
	event.lands = event.settles && kind == DWELL_ENTER;
	stack = find_stack(ring, pointer, kind);
	event.stack = stack.number | (stack.begins ? DWELL_STACK_BEGINS : 0);
	if (record(ring, &event))
		begin_stack(ring, event.said, &stack);
	if (event.settles) {
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
		doubt_frames(ring);
		set_epoch(ring);
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
	if (!thread->ring || thread->state != DWELL_THREAD_RECORDING || record(thread->ring, &event))
		return;
	doubt_frames(thread->ring); /* what is open there is over, and that could not be said */
	set_epoch(thread->ring);
}
