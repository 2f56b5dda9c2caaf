/* SPDX-License-Identifier: MIT
 *
 * Folding: slots through pairing into calls, in the caller's memory. A drainer learns from it what a run of slots holds and which
 * frames it leaves open; a target that has no room for a trace keeps a table of its functions (examples/bare_metal).
 *
 *     dwell_fold_init(&fold, &pair);
 *     for each run:
 *             dwell_fold_begin(&fold);
 *             dwell_fold_slots(&fold, slots, count);
 *             …fold.summary…
 *     dwell_fold_finish(&fold);
 *
 * Ids are the places as the slots have them.
 */
#ifndef DWELL_CORE_FOLD_H
#define DWELL_CORE_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pair.h"
#include "core/slot.h"

/* One run of slots. */
struct dwell_fold_summary {
	uint64_t events;      /* enters and exits */
	uint64_t holes, unknown_tags;
	uint64_t first_ticks; /* of the first event, 0 when there is none */
	uint64_t last_ticks;  /* of the last event */
	/* In place of the run a LOST record may stand, with these: */
	uint32_t pops;        /* frames that were open before and are left by now */
	uint32_t pushes;      /* frames that were entered in it and are open */
	bool in_doubt;        /* which of those before are left nobody knows: there was a gap of unknown content */
};

/* The stacks of a thread that may have several. */
struct dwell_fold_stacks {
	void *context;
	/* The pairing of the stack, begun when it is new; null: no memory, events stay on the one before. */
	struct dwell_pair *(*find)(void *context, uint32_t number);
	/* Room for frames is used up. */
	void (*grow)(void *context, struct dwell_pair *pair);
	/* One after the other, from index 0 on; null: there are no more. */
	struct dwell_pair *(*get)(void *context, uint32_t index);
};

/* Who wants each call as it is finished. Its .user is what he made of its frame's. */
struct dwell_fold_calls {
	void *context;
	void (*take)(void *context, const struct dwell_call *call);
};

struct dwell_fold {
	struct dwell_pair *pair; /* the caller's, initialised; he makes it grow, or lets it count what does not fit */
	const struct dwell_fold_stacks *stacks; /* the caller's; null: all is on one stack. Else pair is that of the stack that runs */
	const struct dwell_fold_calls *calls; /* the caller's; null: nobody wants them */
	uint32_t stack;      /* its number … */
	uint32_t next_stack; /* … and of the one that runs from the next enter or exit on */
	bool changed_stacks; /* it was not always that: what summaries say of pops and pushes is of several */
	struct dwell_slot_cursor cursor;
	struct dwell_fold_summary summary;
	uint32_t depth;  /* internal: open frames when the run began */
	uint32_t lowest; /* internal: fewest of them since then */
	uint32_t missing; /* internal: exits of frames that no data knew */
	bool unwound;    /* internal: the slot before is an unwind, or says where it landed */
	uint32_t above;  /* internal: calls that the LANDED said which the next one is behind of */
};

void dwell_fold_init(struct dwell_fold *fold, struct dwell_pair *pair);
/* Keeps stacks apart from here on; pair was that of the thread's own, number 0.
 * Context: before the first slot. */
void dwell_fold_set_stacks(struct dwell_fold *fold, const struct dwell_fold_stacks *stacks);

/* Hands out finished calls from here on. */
void dwell_fold_set_calls(struct dwell_fold *fold, const struct dwell_fold_calls *calls);

/* A new run: the summary is empty. Open frames and the clock's high half go on from the run before. */
void dwell_fold_begin(struct dwell_fold *fold);
/* More slots of the run. They may be in memory that another program writes: each is read once.
 * Context: whoever owns the fold; about 30 instructions for an enter or exit. */
void dwell_fold_slots(struct dwell_fold *fold, const volatile uint64_t *slots, uint32_t count);
/* The data ends: open calls end with it. */
void dwell_fold_finish(struct dwell_fold *fold);

#endif
