/* SPDX-License-Identifier: MIT
 *
 * Folding turns slots into calls, by pairing, in the caller's memory. A drain uses it to find out what a run of slots contains and
 * which frames the run leaves open; a target without room for a trace keeps a table of its functions (examples/bare_metal).
 *
 *     dwell_fold_init(&fold, &pair);
 *     for each run:
 *             dwell_fold_begin(&fold);
 *             dwell_fold_slots(&fold, slots, count);
 *             …fold.summary…
 *     dwell_fold_finish(&fold);
 *
 * The id of a call in the pairing is the place of its slots.
 */
#ifndef DWELL_CORE_FOLD_H
#define DWELL_CORE_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pair.h"
#include "core/slot.h"

/* Summary of one run of slots: those given to dwell_fold_slots since the last dwell_fold_begin. */
struct dwell_fold_summary {
	uint64_t events;      /* enters and exits */
	uint64_t holes, unknown_tags;
	uint64_t first_ticks; /* of the first event, 0: no event */
	uint64_t last_ticks;  /* of the last event */
	/* A LOST record can replace the run, with these values: */
	uint32_t pops;        /* frames that were open before the run and are left now */
	uint32_t pushes;      /* frames that were entered in the run and are still open */
	bool unknown_gap;        /* a gap of unknown content: which of the earlier frames are left is unknown */
};

/* Access to the stacks of a thread that may have several. */
struct dwell_fold_stacks {
	void *context;
	/* Returns the pairing of the stack, initialised if the stack is new;
	 * null: out of memory, events stay on the previous stack. */
	struct dwell_pair *(*find)(void *context, uint32_t number);
	/* Makes more room for frames; called when it is used up. */
	void (*grow)(void *context, struct dwell_pair *pair);
	/* Returns the pairing with this index, from 0 on; null: no more. */
	struct dwell_pair *(*get)(void *context, uint32_t index);
};

/* Receives each finished call, with the .user that the receiver may have set in the call's frame while the call was open. */
struct dwell_fold_calls {
	void *context;
	void (*take)(void *context, const struct dwell_call *call);
};

struct dwell_fold {
	struct dwell_pair *pair; /* the caller's, initialised; without room, a call is only
	                            counted, unless the caller makes the pairing grow */
	const struct dwell_fold_stacks *stacks; /* the caller's; null: the thread has one stack.
	                                           Otherwise pair belongs to the running stack */
	const struct dwell_fold_calls *calls; /* the caller's; null: no receiver */
	uint32_t stack;      /* number of the current stack … */
	uint32_t next_stack; /* … and of the stack that runs from the next enter or exit on */
	bool changed_stacks; /* the thread has changed its stack: pops and pushes of the summaries mix several stacks */
	struct dwell_slot_cursor cursor;
	struct dwell_fold_summary summary;
	uint32_t depth;  /* internal: open frames at the start of the run */
	uint32_t lowest; /* internal: fewest open frames since then */
	uint32_t missing; /* internal: exits of frames that are not in the data */
	bool unwound;    /* internal: the previous slot is an unwind or a LANDED after an unwind */
	uint32_t above;  /* internal: payload of the last LANDED with DWELL_LANDED_ABOVE, for the next LANDED */
};

/* Begins a fold of one thread, without stacks and without a receiver. pre: pair was initialised and outlives the fold. */
void dwell_fold_init(struct dwell_fold *fold, struct dwell_pair *pair);
/* Keeps stacks apart from here on. pre: pair is the pairing of the thread's own stack, which has number 0.
 * Context: before the first slot. */
void dwell_fold_set_stacks(struct dwell_fold *fold, const struct dwell_fold_stacks *stacks);

/* From here on passes finished calls to calls. */
void dwell_fold_set_calls(struct dwell_fold *fold, const struct dwell_fold_calls *calls);

/* Begins a new run with an empty summary. Open frames and the clock's high half continue from the previous run. */
void dwell_fold_begin(struct dwell_fold *fold);
/* Adds slots to the run. Another program may write to their memory meanwhile: each is read once.
 * Context: the owner of the fold; about 30 instructions for an enter or exit. */
void dwell_fold_slots(struct dwell_fold *fold, const volatile uint64_t *slots, uint32_t count);
/* Ends the data: the open calls of the current stack end with the last event. Pairings of other stacks are the caller's to
 * finish. */
void dwell_fold_finish(struct dwell_fold *fold);

#endif
