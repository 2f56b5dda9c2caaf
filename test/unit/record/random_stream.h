/* Random events of one thread with all that a stream may have in it, as the recorder would write them into a ring. What was drawn
 * depends on the seed alone. */
#ifndef DWELL_TEST_RANDOM_STREAM_H
#define DWELL_TEST_RANDOM_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/slot.h"
#include "target/port/os/linux/session.h"
#include "target/recorder/ring.h"

/* What may be in it. */
enum {
	JUMPS = 1 << 0,
	SWAPS = 1 << 1,    /* several stacks in turn … */
	ENDS = 1 << 2,     /* … which begin anew */
	LOSTS = 1 << 3,    /* and calls that end and begin meanwhile */
	HOLES = 1 << 4,
	PAUSES = 1 << 5,   /* off, and on again as a rule */
	VALUES = 1 << 6,
	WINDOWS = 1 << 7,
	MARKS = 1 << 8,
	EXITS = 1 << 9,    /* that fit nothing, or not the innermost call */
	UNKNOWN = 1 << 10, /* a tag of a later version */
	ENTRIES = 1 << 11,
	LATE = 1 << 12,    /* stamps … */
	TURN = 1 << 13,    /* … of the next turn of the low half, before its TIME … */
	BACK = 1 << 14,    /* … and of a clock that goes back */
	BEFORE = 1 << 15,  /* calls that began before the data */
	LEFT = 1 << 16,    /* stacks that are never gone on on */
	HOLDS = 1 << 17,   /* the recorder holds the thread up */
	KINDS = 18,
};

#define RING_BYTES (64u * DWELL_BLOCK_BYTES)
#define FUNCTIONS 5u
#define SHALLOW 6u
#define DEEP_MAX 100000u
#define STACKS 3u
#define FAR UINT64_C(0x7f1200000000)
#define NOBODY 0x409000u

static uint64_t drawn, stream_ticks;
static struct dwell_ring *ring;
static uint32_t kinds, rare; /* what may be in it; how rarely it is, 0: it is all */
static uint32_t deep;        /* so many calls in one another at the most; beyond SHALLOW of two events of three one enters */

/* The calls that are open. */
struct one_stack {
	uint64_t places[DEEP_MAX];
	bool unknown[DEEP_MAX]; /* entered in a gap */
	uint32_t depth;
};
static struct one_stack stacks[STACKS];
static uint32_t current, left; /* how many stacks were */
static bool swapped; /* no event has told that current is */

static inline uint32_t random_number(void)
{
	drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(drawn >> 32);
}

static inline bool one_of(uint32_t count)
{
	return random_number() % count == 0;
}

static inline void put_raw(uint64_t slot)
{
	uint64_t *data = (uint64_t *)((unsigned char *)ring + DWELL_RING_HEADER_BYTES);

	data[ring->pos % RING_BYTES / DWELL_SLOT_BYTES] = slot;
	ring->pos += DWELL_SLOT_BYTES;
}

static inline void put_time(void)
{
	put_raw(dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(stream_ticks >> 32)));
}

static inline void put_tag(uint32_t tag, uint32_t payload)
{
	if (ring->pos % DWELL_BLOCK_BYTES == 0)
		put_time();
	put_raw(dwell_slot_make(tag, payload));
}

static inline void pass_time(void)
{
	uint64_t before = stream_ticks >> 32;

	stream_ticks += one_of(3000) ? UINT64_C(0x80000000) : one_of(40) ? random_number() % 3000 : random_number() % 30;
	if (stream_ticks >> 32 != before)
		put_time();
}

static inline void put_stamp(uint32_t tag)
{
	pass_time();
	swapped = false;
	put_tag(tag, (uint32_t)stream_ticks);
}

static inline void put_event(uint64_t place, bool exit)
{
	pass_time();
	swapped = false;
	if (place >> 32)
		put_tag(DWELL_TAG_WINDOW, (uint32_t)(place >> 32));
	put_tag((uint32_t)place | exit, (uint32_t)stream_ticks);
	if (kinds & VALUES && one_of(3))
		put_tag(exit ? DWELL_TAG_RET : DWELL_TAG_ARG, random_number());
}

static inline uint64_t some_place(bool far)
{
	uint32_t function = random_number() % FUNCTIONS;

	return 0x401000 + function * 0x40 + (far && kinds & WINDOWS && function % 2 ? FAR : 0);
}

static inline void push(uint64_t place, bool unknown)
{
	struct one_stack *stack = &stacks[current];

	stack->unknown[stack->depth] = unknown;
	stack->places[stack->depth++] = place;
}

static inline void enter(void)
{
	uint64_t place = some_place(true);

	if (stacks[current].depth == deep)
		return;
	push(place, false);
	put_event(place, false);
}

static inline void leave(void)
{
	struct one_stack *stack = &stacks[current];

	if (stack->depth)
		put_event(stack->places[--stack->depth], true);
}

/* An exit that is not of the innermost call may be of such a one. */
static inline bool has_unknown(void)
{
	bool any = false;

	for (uint32_t i = 0; i < stacks[current].depth; i++)
		any |= stacks[current].unknown[i];
	return any;
}

/* To where the function of a LANDED goes on, or where the next exit says. */
static inline void jump(void)
{
	struct one_stack *stack = &stacks[current];
	uint32_t to = stack->depth ? random_number() % stack->depth : 0;
	bool says = one_of(2);

	if (!stack->depth || has_unknown())
		return;
	for (uint32_t i = to + 1; i < stack->depth && says; i++)
		says = stack->places[i] != stack->places[to]; /* the innermost call of it goes on */
	put_stamp(one_of(2) ? DWELL_TAG_UNWIND_JUMP : DWELL_TAG_UNWIND_CATCH);
	stack->depth = to + 1;
	if (says && one_of(10)) {
		put_tag(DWELL_TAG_LANDED, 0);
		stack->depth = 0;
	} else if (says && stack->places[to] <= UINT32_MAX) {
		put_tag(DWELL_TAG_LANDED, (uint32_t)stack->places[to]);
	} else {
		leave();
	}
}

static inline void swap(void)
{
	swapped = true;
	current = random_number() % STACKS;
	if (current && kinds & ENDS && one_of(10)) {
		put_tag(DWELL_TAG_STACK, current | DWELL_STACK_BEGINS);
		stacks[current].depth = 0;
	} else {
		put_tag(DWELL_TAG_STACK, current);
	}
}

static inline void lose(void)
{
	struct one_stack *stack = &stacks[current];
	uint32_t pops = stack->depth ? random_number() % (stack->depth + 1) : 0, pushes = stack->depth - pops < deep && one_of(2);

	if (swapped) /* what is lost before an event is of the stack before */
		return;
	put_tag(DWELL_TAG_LOST, one_of(5) ? 0 : 1 + random_number() % 9);
	put_tag(DWELL_TAG_LOST_POPS, pops);
	put_tag(DWELL_TAG_LOST_PUSHES, pushes);
	stack->depth -= pops;
	if (pushes)
		push(some_place(false), true);
}

static inline void pause_recording(void)
{
	put_stamp(DWELL_TAG_OFF);
	if (!one_of(8))
		put_stamp(DWELL_TAG_ON);
}

/* Its two slots in one block, as the recorder pushes them. */
static inline void mark(void)
{
	pass_time();
	if ((ring->pos + DWELL_SLOT_BYTES) % DWELL_BLOCK_BYTES == 0)
		put_time();
	swapped = false;
	put_tag(DWELL_TAG_MARK, (uint32_t)stream_ticks);
	if (!one_of(8))
		put_tag(DWELL_TAG_MARK_TEXT, 1);
}

static inline void stray_exit(void)
{
	struct one_stack *stack = &stacks[current];
	uint64_t place;

	if (!stack->depth || has_unknown())
		return;
	place = one_of(2) ? NOBODY : stack->places[random_number() % stack->depth];
	for (; place != NOBODY && stack->places[stack->depth - 1] != place; stack->depth--)
		;
	stack->depth -= place != NOBODY;
	put_event(place, true);
}

/* Behind it come those of the handler that was there first. */
static inline void take_late(void)
{
	uint64_t now = stream_ticks;

	stream_ticks += random_number() % 50;
	if (stream_ticks >> 32 == now >> 32 && one_of(2))
		enter();
	else if (stream_ticks >> 32 == now >> 32)
		leave();
	stream_ticks = now;
}

static inline void take_before_time(void)
{
	struct one_stack *stack = &stacks[current];
	uint64_t turn = ((stream_ticks >> 32) + 1) << 32;

	stream_ticks = turn - 1 - random_number() % 5;
	if (stack->depth < deep) {
		push(some_place(false), false);
		put_tag((uint32_t)stack->places[stack->depth - 1], (uint32_t)stream_ticks);
		swapped = false;
	}
	stream_ticks = turn + random_number() % 5;
	if (ring->pos % DWELL_BLOCK_BYTES == 0)
		put_time();
	if (stack->depth && stack->places[stack->depth - 1] <= UINT32_MAX && one_of(2)) {
		put_raw(dwell_slot_exit((uint32_t)stack->places[--stack->depth], (uint32_t)stream_ticks));
		swapped = false;
	}
	put_time();
}

static inline void make_odd(uint32_t kind)
{
	switch (kind) {
	case JUMPS:
		jump();
		break;
	case SWAPS:
		swap();
		break;
	case LOSTS:
		lose();
		break;
	case HOLES:
		put_tag(DWELL_TAG_HOLE, 0);
		break;
	case PAUSES:
		pause_recording();
		break;
	case MARKS:
		mark();
		break;
	case EXITS:
		stray_exit();
		break;
	case UNKNOWN:
		put_tag(999, 1);
		break;
	case ENTRIES:
		put_tag(DWELL_TAG_ENTRY, one_of(2) ? 0x401010 : 0);
		put_event(0x408000, false);
		break;
	case LATE:
		take_late();
		break;
	case TURN:
		take_before_time();
		break;
	case BACK:
		if ((uint32_t)stream_ticks > 100)
			stream_ticks -= random_number() % 40;
		break;
	case BEFORE:
		if (!stacks[current].depth)
			put_event(some_place(false), true);
		break;
	case LEFT:
		put_tag(DWELL_TAG_STACK, STACKS + left++);
		put_event(some_place(false), false);
		put_tag(DWELL_TAG_STACK, current);
		swapped = true;
		break;
	case HOLDS:
		put_stamp(DWELL_TAG_HELD);
		put_stamp(DWELL_TAG_HELD_END);
		break;
	default: /* goes along with others */
		break;
	}
}

static inline void make_some(void)
{
	uint32_t kind = rare ? 1u << random_number() % KINDS : kinds;

	if ((!rare || one_of(rare)) && kinds & kind)
		make_odd(kind);
	else if (deep > SHALLOW ? !one_of(3) : one_of(2))
		enter();
	else
		leave();
}

static inline void begin_stream(uint64_t with_seed, uint32_t with, uint32_t with_rare, uint32_t with_deep)
{
	for (uint32_t i = 0; i < STACKS; i++)
		stacks[i].depth = 0;
	deep = with_deep ? with_deep : SHALLOW;
	current = left = 0;
	swapped = false;
	drawn = with_seed;
	kinds = with;
	rare = with_rare;
	stream_ticks = UINT64_C(0x5ffff0000);
	ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	ring->commits_last = 1;
	ring->room = RING_BYTES;
}

#endif
