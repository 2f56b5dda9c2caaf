/* follower: the calls that are open in a thread behind each of its slots, whatever was left by jumps and on whichever stack they are; and
 * finished ones, for whoever wants them (dwell_fold_set_calls(&follower->fold, …)). */
#ifndef DWELL_HOST_RECORD_DRAIN_FOLLOWER_H
#define DWELL_HOST_RECORD_DRAIN_FOLLOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/relay.h"
#include "record/drain/drain_stacks.h"

struct follower {
	struct dwell_pair pair;
	struct dwell_frame *frames;
	struct drain_stacks stacks;
	struct dwell_fold_stacks callbacks;
	struct dwell_fold fold;
};

/* Null: no memory. */
struct follower *make_follower(void);
/* Goes on where a thread stands that has followed its calls by itself: frames are those of state->stacks, at .first each. Null: no memory.
 * pre: numbers and sizes were looked at (relay_import). */
struct follower *make_follower_at(const struct dwell_relay_state *state, const struct dwell_frame *frames);
/* The other way round: for a thread to go on from. False: there is no room there for all that is open, or it is unusual. */
bool follower_tell(const struct follower *follower, struct dwell_relay_state *state, struct dwell_frame *frames);
/* Whether what is open can be. */
bool follower_is_valid(const struct follower *follower);
/* The thread is one that was forked. */
void follower_set_copy(struct follower *follower);
/* Calls are told without what the recorder held them up (core/pair.h). Before the first slot, or behind make_follower_at. */
void follower_set_without_held(struct follower *follower);
void free_follower(struct follower *follower);

/* Open calls of the stack that an enter or exit would be on now. */
uint32_t follower_depth(struct follower *follower);
/* The call that the last slot entered, if it was an enter: set its .user. Null: it found no room. */
struct dwell_frame *follower_top(struct follower *follower);
/* The next slots. */
void follower_feed(struct follower *follower, const uint64_t *slots, uint32_t count);

#endif
