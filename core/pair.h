/* SPDX-License-Identifier: MIT
 *
 * Pairing: which exit belongs to which entry, and what each call took. The only place in dwell that knows.
 *
 * The caller feeds one thread's events in order, with an id for each function (an address, a name pointer, an index: pairing only
 * compares them), and takes finished calls out. All memory is the caller's. Compiled into the target and into the host.
 *
 * What it survives, and how it says so (flags of the finished call):
 *   longjmp, exceptions     frames above the one that goes on are finished at the time of the unwind       DWELL_CALL_UNWOUND
 *   missing exits           an exit of a function further down finishes those above it, too                DWELL_CALL_UNWOUND
 *   missing entries         an exit with no open frame: the call began before the data did                 DWELL_CALL_NO_ENTRY
 *   exit that fits nothing  counted in unmatched_exits, else ignored
 *   lost records            the gap is time that nobody is charged for; frames left in it                  DWELL_CALL_GAP
 *   stack deeper than the caller's memory: counted, their time is the deepest frame's; nothing overflows
 *   the end of the data     frames still open are finished there                                           DWELL_CALL_OPEN
 *
 * The accounting equation, which dwell_pair_check() verifies and every test asserts:
 *
 *     sum of self over all finished calls + lost_ticks + outside_ticks  =  last_ticks − first_ticks
 */
#ifndef DWELL_CORE_PAIR_H
#define DWELL_CORE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

/* The id of a frame that was entered while records were lost; the exit that finishes it gives it its name. */
#define DWELL_ID_UNKNOWN UINT64_MAX

enum dwell_call_flag {
	DWELL_CALL_UNWOUND = 1u << 0,  /* left without an exit of its own */
	DWELL_CALL_NO_ENTRY = 1u << 1, /* entered before the data began, or in a gap: enter_ticks is the earliest it can be charged from */
	DWELL_CALL_GAP = 1u << 2,      /* ended in a gap of lost records: exit_ticks is where the gap begins */
	DWELL_CALL_OPEN = 1u << 3,     /* still running where the data ends */
};

/* One open call. */
struct dwell_frame {
	uint64_t id;
	uint64_t enter_ticks;
	uint64_t child_ticks; /* time in finished callees, and in gaps: not this function's own */
	uint64_t user;        /* the caller's, kept and handed back */
	uint32_t flags;       /* enum dwell_call_flag */
	uint32_t reserved;
};

/* One finished call. total = exit − enter; self = total − time in callees and gaps. */
struct dwell_call {
	uint64_t id;
	uint64_t enter_ticks;
	uint64_t exit_ticks;
	uint64_t total_ticks;
	uint64_t self_ticks;
	uint64_t user;
	uint32_t depth; /* frames below it: 0 is outermost */
	uint32_t flags;
};

/* The state of one thread. Initialise with dwell_pair_init; read the counters, leave the rest alone. */
struct dwell_pair {
	struct dwell_frame *frames; /* the caller's, capacity of them */
	uint32_t capacity;
	uint32_t depth;     /* open frames in memory */
	uint32_t beyond;    /* open frames that did not fit */
	uint32_t deepest;   /* most frames ever open, those that did not fit included */
	uint32_t pending;   /* internal: an unwind or a gap waits for the next event */
	uint32_t due;       /* internal: frames that dwell_pair_pop still has to hand out */
	uint32_t due_flags; /* internal */
	uint32_t lost_pushes; /* internal */
	uint32_t lost_pops;   /* internal */
	uint64_t due_ticks;   /* internal: when the frames above the last due one ended */
	uint64_t due_last_ticks; /* internal: when the last due one ended */
	uint64_t unwind_ticks;   /* internal */
	uint64_t started;        /* internal: first_ticks is set */
	uint64_t first_ticks; /* of the first event */
	uint64_t last_ticks;  /* of the last event */
	uint64_t outer_ticks; /* internal: time so far in finished outermost calls and gaps */
	uint64_t self_ticks;  /* handed out as self so far */
	uint64_t lost_ticks;  /* in gaps */
	uint64_t lost_events; /* said to be lost by the records */
	uint64_t unmatched_exits;
	uint64_t unwound_calls; /* finished without an exit of their own */
	uint64_t beyond_calls;  /* entered with no room for a frame */
};

/* pre:  frames has room for capacity frames (capacity ≥ 1) and outlives the state.
 * post: no open frame, all counters 0. */
void dwell_pair_init(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity);

/* Gives more memory: frames holds a copy of the open ones already. For hosts, where no depth needs to be configured.
 * Context: between events. */
void dwell_pair_grow(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity);

/* True when the next enter would not fit: the moment to grow. */
static inline bool dwell_pair_full(const struct dwell_pair *pair)
{
	return pair->depth == pair->capacity;
}

/* Each of the following may make calls due: take them with dwell_pair_pop() before feeding the next event.
 *
 *     dwell_pair_exit(&pair, id, ticks);
 *     while (dwell_pair_pop(&pair, &call)) use(&call);
 */

/* A function was entered. Returns its frame (valid until the next event; set .user), or null when it did not fit.
 * May make calls due: none, except after an unwind or a gap. Calls due are to be popped BEFORE the frame is pushed, so the two
 * halves are apart: if pair->pending, call dwell_pair_settle first and pop. */
struct dwell_frame *dwell_pair_enter(struct dwell_pair *pair, uint64_t id, uint64_t ticks);

/* A function was left. */
void dwell_pair_exit(struct dwell_pair *pair, uint64_t id, uint64_t ticks);

/* An unwind (longjmp, caught exception) happened at ticks. Where it landed is told by the next event: an exit of the function that
 * goes on, or dwell_pair_land(). */
void dwell_pair_unwind(struct dwell_pair *pair, uint64_t ticks);

/* The unwind landed in the frame at index (0 is outermost): the frames above are finished at the time of the unwind. */
void dwell_pair_land(struct dwell_pair *pair, uint32_t index);

/* Records were lost after the previous event: events of them (0 = unknown number), which closed pops frames and left pushes new ones
 * open. The gap ends with the next event. */
void dwell_pair_lost(struct dwell_pair *pair, uint64_t events, uint32_t pops, uint32_t pushes);

/* Settles a gap or an unwind that waits for the time of the next event, ticks. Call it before an enter when pair->pending. */
void dwell_pair_settle(struct dwell_pair *pair, uint64_t ticks);

/* The open frames are now known to be these (outermost first): after a gap of unknown content. Frames that are in both stay open,
 * others are finished where the gap begins. ticks: the time at which the frames are known. Pop until empty, then
 * dwell_pair_adopt() the same frames. */
void dwell_pair_checkpoint(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count, uint64_t ticks);
void dwell_pair_adopt(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count, uint64_t ticks);

/* The data ends at ticks: all open frames become due, flagged DWELL_CALL_OPEN. */
void dwell_pair_finish(struct dwell_pair *pair, uint64_t ticks);

/* Takes the next finished call, innermost first. False when none is due. */
bool dwell_pair_pop(struct dwell_pair *pair, struct dwell_call *call);

/* Time of the thread with no function open. Valid after dwell_pair_finish and popping. */
uint64_t dwell_pair_outside_ticks(const struct dwell_pair *pair);

/* The accounting equation. Valid after dwell_pair_finish and popping. */
bool dwell_pair_check(const struct dwell_pair *pair);

#endif
