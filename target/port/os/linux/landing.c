/* SPDX-License-Identifier: MIT
 *
 * Finds where an unwind lands by a walk of the stack; see landing.h.
 */
#include "port/os/linux/landing.h"

#ifdef PORT_FRAMES

#define FRAMES_LEFT_MAX 1000000u /* a longer walk would take too long */
#define FRAMES_LIVE_MAX 200u     /* frames searched for one with hooks */

/* A compiler moves parts of a function (foo.cold) elsewhere, above all catch clauses. When an exception lands in a part, the agent
 * learns to which function the part belongs. Each word holds the low halves of the two starts; files are smaller than 4 GiB. */
#define PARTS_LEARNED 256u
static volatile uint64_t parts[PARTS_LEARNED];

/* Returns the word of the part that begins at start; another part may share it. */
static volatile uint64_t *part_at(uint64_t start)
{
	return &parts[(start ^ start >> 8) % PARTS_LEARNED];
}

/* Turns the frame of a part into a frame of the whole function. False: a part of an unknown function. */
static bool find_whole(struct frame *frame, enum frame_state state)
{
	uint64_t learned, start = 0, end;

	if (!frame->is_part)
		return true;
	learned = *part_at(frame->start);
	if (learned >> 32 == (uint32_t)frame->start)
		start = frame->start + (uint64_t)(int64_t)(int32_t)((uint32_t)learned - (uint32_t)frame->start);
	if (!modules_find_whole(frame->start, frame->end, state == FRAME_GOES_ON ? frame->caller_pc : 0, &start, &end))
		return false;
	frame->start = start;
	frame->end = end;
	return true;
}

void landing_learn(const struct landing *landing, uint64_t pc, uint64_t sp)
{
	struct frame_rules rules;

	/* pc may be in the part, or jump there at once. frames_find_caller also searches for the frame's end,
	 * which may fail without harm. */
	for (uint32_t i = 0; i < 2 && pc; i++, pc = modules_find_jump(pc)) {
		struct frame here = {.pc = pc, .sp = sp, .exact = true};

		frames_find_caller(&rules, &here);
		if (here.is_part && landing->start && landing->start != here.start)
			*part_at(here.start) = here.start << 32 | (uint32_t)landing->start;
	}
}

/* Lists the recorded calls, from the frame in which the unwind lands outwards. False: the first recorded call is unknown, since an
 * unknown function or too many frames come before it. */
static bool find_calls(struct frame_rules *rules, struct frame *frame, enum frame_state state, struct landing *landing)
{
	uint32_t wanted = agent.may_miss_entries ? LANDING_CALLS_MAX : 1, sure = 0;

	landing->count = 0;
	landing->or_none = false;
	landing->start = 0;
	for (uint32_t i = 0; i < FRAMES_LIVE_MAX; i++) {
		enum modules_hooked hooked = MODULES_NOT_HOOKED;
		uint64_t place = 0;

		if (!find_whole(frame, state) && modules_is_hooked(frame->start))
			return sure != 0;
		landing->start = i ? landing->start : frame->start;
		if (frame->start)
			hooked = modules_find_hooked(frame->start, frame->end, &place);
		if (hooked == MODULES_HOOKED_UNKNOWN)
			return sure != 0;
		if (hooked != MODULES_NOT_HOOKED)
			landing->calls[landing->count++] = (struct landing_call){place, frame->start, 0};
		sure += hooked == MODULES_HOOKED;
		if (sure == wanted || landing->count == LANDING_CALLS_MAX)
			return sure != 0;
		landing->or_none = state == FRAME_OUTERMOST;
		if (state != FRAME_GOES_ON)
			return sure || landing->or_none;
		frames_leave(frame);
		state = frames_find_caller(rules, frame);
	}
	return sure != 0;
}

bool landing_find(struct frame from, uint64_t sp, const struct landing_ended *ended, struct landing *landing)
{
	const struct dwell_thread *thread = port_thread();
	uint64_t own_bytes = thread->stack_high - thread->stack_low;
	struct frame_rules rules;
	struct frame frame = from;
	uint32_t left = 0;

	for (uint32_t i = 0; i < FRAMES_REMEMBERED; i++)
		rules.rules[i].pc = 0;
	if (from.sp - thread->stack_low < own_bytes && sp - from.sp >= thread->stack_high - from.sp)
		return false; /* the unwind goes to another stack */
	for (;; left++) {
		enum frame_state state = left < FRAMES_LEFT_MAX ? frames_find_caller(&rules, &frame) : FRAME_UNKNOWN;

		if (state == FRAME_UNKNOWN)
			return false;
		/* The end of the outermost frame is unknown. */
		if (sp >= frame.sp && (state == FRAME_OUTERMOST ? sp == frame.sp : sp < frame.cfa)) {
			if (!find_calls(&rules, &frame, state, landing))
				return false;
			break;
		}
		if (state == FRAME_OUTERMOST)
			return false;
		frames_leave(&frame);
	}
	for (frame = from; left; left--) {
		bool has_ended;

		find_whole(&frame, frames_find_caller(&rules, &frame));
		has_ended = ended->sp >= frame.sp && ended->sp < frame.cfa;
		for (uint32_t i = 0; i < landing->count; i++)
			landing->calls[i].above += landing->calls[i].start == frame.start &&
						   !(has_ended && ended->place == landing->calls[i].place);
		frames_leave(&frame);
	}
	return true;
}

unsigned landing_write(const struct landing *landing, uint32_t words[LANDING_WORDS_MAX])
{
	unsigned count = 0;

	for (uint32_t i = 0; i < landing->count; i++) {
		if (landing->calls[i].above)
			words[count++] = landing->calls[i].above << 1 | DWELL_LANDED_ABOVE;
		words[count++] = (uint32_t)landing->calls[i].place & ~DWELL_LANDED_ABOVE;
	}
	if (landing->or_none)
		words[count++] = 0;
	return count;
}

#endif
