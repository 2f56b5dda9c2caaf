/* SPDX-License-Identifier: MIT
 *
 * The slot: one event in eight bytes, shared by the recorder that writes it and by everything that reads it.
 *
 *     bits 63…32   stamp: the low 32 bits of the clock      (of a tag: its payload)
 *     bits 31…1    place: the low 32 bits of an address     (of a tag: its number, below DWELL_TAG_LIMIT)
 *     bit  0       0 enter, 1 exit                          (of a tag: part of the number)
 *
 * Bit 0 of an address is given up for that: code may start at an odd address, so whoever looks a place up asks for place | 1, which is
 * inside the function either way (an instrumented function is longer than one byte).
 *
 * Invariants, which the tests check and a reader may rely on:
 *   1. A slot is written by one aligned 8-byte store, so it is there whole or not at all.
 *   2. Each slot decodes alone. What it needs besides itself (the high half of the clock, the window, ENTRY) is in an earlier tag
 *      of the same block; a hole, a cut or a lost block costs itself only.
 *   3. The first slot of each block of DWELL_BLOCK_BYTES is TIME.
 *   4. Slot order is the truth. A stamp later than its successor was taken late (an interrupt came between the claim and the
 *      clock): the reader lowers it to its successor's and counts it.
 *
 * Freestanding: no libc, no memory of its own.
 */
#ifndef DWELL_CORE_SLOT_H
#define DWELL_CORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_SLOT_BYTES 8u
#define DWELL_BLOCK_BYTES 4096u
#define DWELL_BLOCK_SLOTS (DWELL_BLOCK_BYTES / DWELL_SLOT_BYTES)

/* Places below this are tags. A function there (in a flash that begins at 0, in a library that lies across a multiple of 4 GiB) is
 * recorded behind a WINDOW. */
#define DWELL_TAG_LIMIT 4096u

/* Tags. The payload is the high word of the slot. Numbers are part of the file format: never reused, unknown ones are skipped and
 * counted. */
enum dwell_tag {
	DWELL_TAG_HOLE = 0,        /* claimed, never written (or not yet); payload 0 */
	DWELL_TAG_TIME = 1,        /* high 32 bits of the clock for the stamps that follow */
	DWELL_TAG_WINDOW = 2,      /* high 32 bits of the place in the NEXT enter or exit, and of that one only; without it the module
	                              table decides (modules with hooks have disjoint low-32 spans, all but those that use this tag).
	                              DWELL_WINDOW_RAISED in it: the low word was raised by DWELL_TAG_LIMIT, not to be a tag */
	DWELL_TAG_UNWIND_JUMP = 3, /* a longjmp leaves frames behind; payload is a stamp */
	DWELL_TAG_UNWIND_CATCH = 4,/* an exception was caught; payload is a stamp */
	DWELL_TAG_CALLER = 5,      /* call site (low 32 bits) of the enter that follows: where an unwind landed */
	DWELL_TAG_LOST = 6,        /* events not recorded between the previous slot and the next one; payload: how many, saturating */
	DWELL_TAG_LOST_POPS = 7,   /* of those: frames that were open before and are left by now. DWELL_LOST_ALL: nobody knows
	                              which, on any stack */
	DWELL_TAG_LOST_PUSHES = 8, /* of those: frames that were entered and are still open, their functions unknown */
	DWELL_TAG_OFF = 9,         /* recording stopped here by request; payload is a stamp */
	DWELL_TAG_ON = 10,         /* and went on; payload is a stamp. What happened in between is outside, not lost */
	DWELL_TAG_STACK = 11,      /* from the next event on the thread is on this stack (0: its own). DWELL_STACK_BEGINS in it: calls
	                              that were open there are over */
	/* What a function was given and gave back, where a hook knows: directly behind its enter or exit, in the same push. */
	DWELL_TAG_ARG = 12,        /* low half of the next argument */
	DWELL_TAG_ARG_HIGH = 13,   /* high half of that same argument; none: 0 */
	DWELL_TAG_RET = 14,        /* low half of what it returned */
	DWELL_TAG_RET_HIGH = 15,   /* high half of that; none: 0 */
	DWELL_TAG_MARK = 16,       /* the program said something here; payload is a stamp. MARK_TEXT follows in the same push */
	DWELL_TAG_MARK_TEXT = 17,  /* what: index of a TEXT */
	DWELL_TAG_ENTRY = 18,      /* the NEXT enter, and that one only, has no exit and never gets one: a call is counted, how long it took
	                              is not known. Payload: its call site (low 32 bits), 0: unknown */
	DWELL_TAG_LANDED = 19,     /* where an unwind landed, directly behind it; several: the first that fits. Payload: the place of the
	                              function whose innermost open call goes on; 0: none of the open calls does. With
	                              DWELL_LANDED_ABOVE: so many open calls of the function of the next LANDED are left as well */
	DWELL_TAG_HELD = 20,       /* the recorder held the thread up from here on, since its buffer was full; payload is a stamp */
	DWELL_TAG_HELD_END = 21,   /* and let it go on; payload is a stamp. The time in between is recording: no function's own, not lost */
};

#define DWELL_ARGS_MAX 6u
#define DWELL_LOST_ALL UINT32_MAX /* as DWELL_PAIR_ALL */
#define DWELL_WINDOW_RAISED 0x80000000u
#define DWELL_STACK_BEGINS 0x80000000u
#define DWELL_LANDED_ABOVE 1u /* the number is in the other 31 bits */

/* Internal to the cursor: an ENTRY waits for its enter. No address has this bit alone. */
#define DWELL_CURSOR_ENTRY 0x40000000u

/* What one slot says, once the tags before it are taken into account. */
enum dwell_slot_kind {
	DWELL_SLOT_SKIP,    /* TIME, WINDOW: the cursor took it in, nothing to do */
	DWELL_SLOT_ENTER,   /* ticks, place */
	DWELL_SLOT_EXIT,    /* ticks, place */
	DWELL_SLOT_ENTRY,   /* ticks, place: an enter behind an ENTRY */
	DWELL_SLOT_TAG,     /* tag and payload; ticks where the payload is a stamp, else the time of the previous event */
	DWELL_SLOT_HOLE,    /* an event that was claimed and not written */
	DWELL_SLOT_UNKNOWN, /* a tag this version does not know */
};

/* The state that decoding carries from slot to slot: 16 bytes, copyable. */
struct dwell_slot_cursor {
	uint64_t last_ticks;  /* time of the last slot that had one */
	uint32_t high;        /* high 32 bits of the clock */
	uint32_t window;      /* high 32 bits of the next place, 0: the module table decides; with DWELL_CURSOR_ENTRY */
};

struct dwell_slot_event {
	enum dwell_slot_kind kind;
	uint32_t tag;     /* DWELL_SLOT_TAG, _UNKNOWN */
	uint32_t payload; /* DWELL_SLOT_TAG, _UNKNOWN */
	uint64_t place;   /* DWELL_SLOT_ENTER, _EXIT: bit 0 is clear; above 32 bits only behind a WINDOW */
	uint64_t ticks;
};

static inline uint64_t dwell_slot_make(uint32_t low_word, uint32_t high_word)
{
	return (uint64_t)high_word << 32 | low_word;
}

static inline uint64_t dwell_slot_enter(uint32_t place, uint32_t stamp)
{
	return dwell_slot_make(place & ~1u, stamp);
}

static inline uint64_t dwell_slot_exit(uint32_t place, uint32_t stamp)
{
	return dwell_slot_make(place | 1u, stamp);
}

static inline bool dwell_slot_is_tag(uint64_t slot)
{
	return (uint32_t)slot < DWELL_TAG_LIMIT;
}

/* Whether the payload of this tag is a stamp. */
static inline bool dwell_slot_tag_has_stamp(uint32_t tag)
{
	return tag == DWELL_TAG_UNWIND_JUMP || tag == DWELL_TAG_UNWIND_CATCH || tag == DWELL_TAG_OFF || tag == DWELL_TAG_ON ||
	       tag == DWELL_TAG_MARK || tag == DWELL_TAG_HELD || tag == DWELL_TAG_HELD_END;
}

/* Decodes one slot and moves the cursor on.
 * Context: any; 6 to 10 instructions for an enter or exit. */
static inline void dwell_slot_decode(struct dwell_slot_cursor *cursor, uint64_t slot, struct dwell_slot_event *event)
{
	uint32_t low = (uint32_t)slot, high = (uint32_t)(slot >> 32);

	if (low >= DWELL_TAG_LIMIT) {
		event->kind = low & 1u ? DWELL_SLOT_EXIT : DWELL_SLOT_ENTER;
		event->place = low & ~1u;
		if (cursor->window) {
			event->place += (uint64_t)(cursor->window & ~(DWELL_WINDOW_RAISED | DWELL_CURSOR_ENTRY)) << 32;
			event->place -= cursor->window & DWELL_WINDOW_RAISED ? DWELL_TAG_LIMIT : 0;
			if (cursor->window & DWELL_CURSOR_ENTRY && event->kind == DWELL_SLOT_ENTER)
				event->kind = DWELL_SLOT_ENTRY;
			cursor->window = 0;
		}
		event->ticks = cursor->last_ticks = (uint64_t)cursor->high << 32 | high;
		return;
	}
	event->tag = low;
	event->payload = high;
	event->ticks = cursor->last_ticks;
	switch (low) {
	case DWELL_TAG_HOLE:
		cursor->window = 0; /* it was for the event that is missing */
		event->kind = DWELL_SLOT_HOLE;
		return;
	case DWELL_TAG_TIME:
		cursor->high = high;
		event->kind = DWELL_SLOT_SKIP;
		return;
	case DWELL_TAG_WINDOW:
		cursor->window = (high & ~DWELL_CURSOR_ENTRY) | (cursor->window & DWELL_CURSOR_ENTRY);
		event->kind = DWELL_SLOT_SKIP;
		return;
	case DWELL_TAG_UNWIND_JUMP:
	case DWELL_TAG_UNWIND_CATCH:
	case DWELL_TAG_OFF:
	case DWELL_TAG_ON:
	case DWELL_TAG_MARK:
	case DWELL_TAG_HELD:
	case DWELL_TAG_HELD_END:
		event->ticks = cursor->last_ticks = (uint64_t)cursor->high << 32 | high;
		event->kind = DWELL_SLOT_TAG;
		return;
	case DWELL_TAG_CALLER:
	case DWELL_TAG_LOST:
	case DWELL_TAG_LOST_POPS:
	case DWELL_TAG_LOST_PUSHES:
	case DWELL_TAG_STACK:
	case DWELL_TAG_ARG:
	case DWELL_TAG_ARG_HIGH:
	case DWELL_TAG_RET:
	case DWELL_TAG_RET_HIGH:
	case DWELL_TAG_MARK_TEXT:
	case DWELL_TAG_LANDED:
		event->kind = DWELL_SLOT_TAG;
		return;
	case DWELL_TAG_ENTRY:
		cursor->window |= DWELL_CURSOR_ENTRY;
		event->kind = DWELL_SLOT_TAG;
		return;
	default:
		event->kind = DWELL_SLOT_UNKNOWN;
		return;
	}
}

#endif
