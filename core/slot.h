/* SPDX-License-Identifier: MIT
 *
 * The slot: one event in eight bytes. The recorder writes slots; the drain, the readers and the model decode them.
 *
 *     bits 63…32   stamp: the low 32 bits of the clock      (of a tag: its payload)
 *     bits 31…1    place: the low 32 bits of an address     (of a tag: its number, below DWELL_TAG_LIMIT)
 *     bit  0       0 enter, 1 exit                          (of a tag: part of the number)
 *
 * The exit flag replaces bit 0 of the address. Code may start at an odd address, so look a place up as place | 1: that address is
 * inside the function in either case, because an instrumented function is longer than one byte.
 *
 * Invariants, which the tests check and a reader may rely on:
 *   1. One aligned 8-byte store writes a slot, so memory holds a slot completely or not at all.
 *   2. A slot needs nothing but the tags in front of it in the same block (the high half of the clock, the window, ENTRY).
 *      A hole, a cut or a lost block therefore damages nothing but itself.
 *   3. The first slot of each block of DWELL_BLOCK_BYTES is TIME.
 *   4. Slot order is the truth. If a stamp is later than the next slot's stamp, the recorder took it late: an interrupt came
 *      between the claim and the clock. core/stamps.h lowers such a stamp to its successor's, and readers count it.
 *
 * Freestanding: needs no libc and has no memory of its own.
 */
#ifndef DWELL_CORE_SLOT_H
#define DWELL_CORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_SLOT_BYTES 8u
#define DWELL_BLOCK_BYTES 4096u
#define DWELL_BLOCK_SLOTS (DWELL_BLOCK_BYTES / DWELL_SLOT_BYTES)

/* Places below this limit are tags. If the low address word of a function is below the limit (in flash memory at address 0, or in a
 * library that crosses a multiple of 4 GiB), a WINDOW precedes each event. */
#define DWELL_TAG_LIMIT 4096u

/* Tags. The payload is the high word of the slot. The numbers are part of the file format: no
 * number is ever reused, and readers skip and count unknown ones. */
enum dwell_tag {
	DWELL_TAG_HOLE = 0,        /* claimed, but not written (or not yet); payload 0 */
	DWELL_TAG_TIME = 1,        /* payload: high 32 bits of the clock for the stamps that follow */
	DWELL_TAG_WINDOW = 2,      /* payload: high 32 bits of the place in the NEXT enter or exit only. Without WINDOW the module
	                              table gives them: modules whose events have no WINDOW occupy disjoint spans of the low 32
	                              bits. DWELL_WINDOW_RAISED in the payload: the recorder added
	                              DWELL_TAG_LIMIT to the low word, which would otherwise be a tag */
	DWELL_TAG_UNWIND_JUMP = 3, /* a longjmp leaves frames; payload is a stamp */
	DWELL_TAG_UNWIND_CATCH = 4,/* an exception leaves frames and has reached a cleanup or its handler; payload is a stamp */
	DWELL_TAG_CALLER = 5,      /* payload: call site (low 32 bits) of the next enter. The function that contains the site is
	                              where an unwind has landed */
	DWELL_TAG_LOST = 6,        /* events were lost between the previous slot and the next; payload: their number, saturating */
	DWELL_TAG_LOST_POPS = 7,   /* frames open before the lost events and left now.
	                              DWELL_LOST_ALL: an unknown set of frames, on every stack */
	DWELL_TAG_LOST_PUSHES = 8, /* frames entered in the lost events and still open, with unknown functions */
	DWELL_TAG_OFF = 9,         /* recording stopped here by request; payload is a stamp */
	DWELL_TAG_ON = 10,         /* recording resumed; payload is a stamp. The time in between is outside, not lost */
	DWELL_TAG_STACK = 11,      /* from the next event on, the thread runs on this stack (0: the thread's own).
	                              DWELL_STACK_BEGINS in the payload: the calls open on that stack have ended */
	/* Arguments and return values, if the hook has them: directly after the enter or exit, in the same push. */
	DWELL_TAG_ARG = 12,        /* low half of the next argument */
	DWELL_TAG_ARG_HIGH = 13,   /* high half of the same argument; absent: 0 */
	DWELL_TAG_RET = 14,        /* low half of the return value */
	DWELL_TAG_RET_HIGH = 15,   /* high half of the return value; absent: 0 */
	DWELL_TAG_MARK = 16,       /* the program set a mark here; payload is a stamp. MARK_TEXT follows in the same push */
	DWELL_TAG_MARK_TEXT = 17,  /* the mark's text: index of a TEXT */
	DWELL_TAG_ENTRY = 18,      /* only the NEXT enter: it never gets an exit, so the call counts, but the duration is unknown.
	                              Payload: the call site (low 32 bits); 0: unknown */
	DWELL_TAG_LANDED = 19,     /* where an unwind landed; directly after the unwind. Of several, the first that fits counts.
	                              Payload: place of the function whose innermost open call continues; 0: no open call
	                              continues. With DWELL_LANDED_ABOVE, the payload is a number instead: so many of the
	                              innermost open calls of the next LANDED's function end, too */
	DWELL_TAG_HELD = 20,       /* from here on the thread works or waits for the recorder; payload is a stamp */
	DWELL_TAG_HELD_END = 21,   /* the thread continues with the program; payload is a stamp. The time in between is
	                              recording: no function's self time, not lost */
};

#define DWELL_ARGS_MAX 6u
#define DWELL_LOST_ALL UINT32_MAX /* same value as DWELL_PAIR_ALL */
#define DWELL_WINDOW_RAISED 0x80000000u
#define DWELL_STACK_BEGINS 0x80000000u
#define DWELL_LANDED_ABOVE 1u /* the other 31 bits hold the number */

/* Internal to the cursor: an ENTRY waits for its enter. The cursor takes this bit out of each WINDOW, since addresses of programs
 * do not have the bit. */
#define DWELL_CURSOR_ENTRY 0x40000000u

/* The meaning of one slot, in view of the earlier tags. */
enum dwell_slot_kind {
	DWELL_SLOT_SKIP,    /* TIME, WINDOW: changed the cursor only; nothing to do */
	DWELL_SLOT_ENTER,   /* sets ticks, place */
	DWELL_SLOT_EXIT,    /* sets ticks, place */
	DWELL_SLOT_ENTRY,   /* sets ticks, place: an enter after an ENTRY */
	DWELL_SLOT_TAG,     /* sets tag and payload; ticks is the payload's stamp, or the
	                       time of the previous event if the tag has none */
	DWELL_SLOT_HOLE,    /* an event that was claimed but not written */
	DWELL_SLOT_UNKNOWN, /* a tag that this version does not support */
};

/* The decoder's state between two slots: 16 bytes, copyable. */
struct dwell_slot_cursor {
	uint64_t last_ticks;  /* time of the last slot with a stamp */
	uint32_t high;        /* high 32 bits of the clock */
	uint32_t window;      /* high 32 bits of the next place, 0: use the module table; may contain DWELL_CURSOR_ENTRY */
};

struct dwell_slot_event {
	enum dwell_slot_kind kind;
	uint32_t tag;     /* only for DWELL_SLOT_TAG, _UNKNOWN */
	uint32_t payload; /* only for DWELL_SLOT_TAG, _UNKNOWN */
	uint64_t place;   /* DWELL_SLOT_ENTER, _EXIT, _ENTRY: bit 0 is clear; above 32 bits only after a WINDOW */
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

/* Returns whether the payload of this tag is a stamp. */
static inline bool dwell_slot_tag_has_stamp(uint32_t tag)
{
	return tag == DWELL_TAG_UNWIND_JUMP || tag == DWELL_TAG_UNWIND_CATCH || tag == DWELL_TAG_OFF || tag == DWELL_TAG_ON ||
	       tag == DWELL_TAG_MARK || tag == DWELL_TAG_HELD || tag == DWELL_TAG_HELD_END;
}

/* Decodes one slot and advances the cursor.
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
		cursor->window = 0; /* the window belonged to the missing event */
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
