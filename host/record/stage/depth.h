/* depth: how deep a thread's calls are at each of its slots, whatever was left by jumps and on whichever stack they are; for sieve.c, and
 * for whoever wants its calls (dwell_fold_set_calls(&depth->fold, …)). */
#ifndef DWELL_HOST_RECORD_STAGE_DEPTH_H
#define DWELL_HOST_RECORD_STAGE_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/relay.h"
#include "record/drain/drain_stacks.h"

struct depth {
	struct dwell_pair pair;
	struct dwell_frame *frames;
	struct drain_stacks stacks;
	struct dwell_fold_stacks callbacks;
	struct dwell_fold fold;
};

/* Null: no memory. */
struct depth *make_depth(void);
/* Goes on where a thread stands that has followed its calls by itself: frames are those of state->stacks, at .first each. Null: no memory.
 * pre: numbers and sizes were looked at (relay_import). */
struct depth *make_depth_at(const struct dwell_relay_state *state, const struct dwell_frame *frames);
/* The other way round: for a thread to go on from. False: there is no room there for all that is open, or it is unusual. */
bool depth_tell(const struct depth *depth, struct dwell_relay_state *state, struct dwell_frame *frames);
/* Whether what is open can be. */
bool depth_is_valid(const struct depth *depth);
/* The thread is one that was forked. */
void depth_set_copy(struct depth *depth);
/* Calls are told without what the recorder held them up (core/pair.h). Before the first slot, or behind make_depth_at. */
void depth_set_without_held(struct depth *depth);
void free_depth(struct depth *depth);

/* Open calls of the stack that an enter or exit would be on now. */
uint32_t depth_now(struct depth *depth);
/* The call that the last slot entered, if it was an enter: set its .user. Null: it found no room. */
struct dwell_frame *depth_top(struct depth *depth);
/* The next slots. */
void depth_feed(struct depth *depth, const uint64_t *slots, uint32_t count);

#endif
