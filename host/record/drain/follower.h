/* follower: the calls that are open in a thread behind each of its slots, whatever was left by jumps and on whichever stack they are
 * (coroutines); and finished ones, for whoever wants them (dwell_fold_set_calls(&follower->fold, …)). */
#ifndef DWELL_HOST_RECORD_DRAIN_FOLLOWER_H
#define DWELL_HOST_RECORD_DRAIN_FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/fold.h"

/* More than that beside the thread's own, and those that have waited longest are forgotten. */
#define FOLLOWER_STACKS_MAX 65536u

struct follower_stack {
	uint32_t number;
	struct dwell_pair pair;
	struct dwell_frame *frames;
};

struct follower {
	struct dwell_fold fold;
	struct follower_stack **stacks; /* by number; the first is the thread's own, 0 */
	size_t stack_count, stack_capacity;
	struct dwell_fold_stacks callbacks;
	bool is_copy, without_held; /* as in core/pair.h, all of them */
	/* A stack is about to be forgotten; null: nobody wants to know. */
	void (*on_forget)(void *context, struct dwell_pair *pair);
	void *context;
};

/* Null: no memory. */
struct follower *make_follower(void);
/* The thread is one that was forked, with all its stacks. Before the first slot. */
void follower_set_copy(struct follower *follower);
/* Calls are told without what the recorder held them up (core/pair.h). Before the first slot. */
void follower_set_without_held(struct follower *follower);
void free_follower(struct follower *follower);

/* Open calls of the stack that an enter or exit would be on now. */
uint32_t follower_depth(struct follower *follower);
/* Open calls of all stacks. */
uint64_t follower_open_calls(const struct follower *follower);
/* The call that the last slot entered, if it was an enter: set its .user. Null: it found no room. */
struct dwell_frame *follower_top(struct follower *follower);
/* The next slots. */
void follower_feed(struct follower *follower, const uint64_t *slots, uint32_t count);

#endif
