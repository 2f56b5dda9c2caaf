/* follower: follows the open calls of a thread from slot to slot, across jumps and changes of stacks (coroutines). Reports finished
 * calls, too (dwell_fold_set_calls(&follower->fold, …)). */
#ifndef DWELL_HOST_RECORD_DRAIN_FOLLOWER_H
#define DWELL_HOST_RECORD_DRAIN_FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fold.h"

/* The most stacks beside the thread's own. Beyond this number, the follower forgets the stacks that
 * have waited longest: stacks with a last event in the older half of the time span. */
#define FOLLOWER_STACKS_MAX 65536u

struct follower_stack {
	uint32_t number;
	struct dwell_pair pair;
	struct dwell_frame *frames;
};

struct follower {
	struct dwell_fold fold;
	struct follower_stack **stacks; /* by number; the first is the thread's own, number 0 */
	size_t stack_count, stack_capacity;
	struct dwell_fold_stacks callbacks;
	bool is_copy, without_held; /* as in core/pair.h, for all stacks */
	/* Called before the follower forgets a stack. May be null. */
	void (*on_forget)(void *context, struct dwell_pair *pair);
	void *context;
};

/* Null: no memory. */
struct follower *make_follower(void);
/* The thread was forked, with all stacks. Call follower_set_copy before the first slot. */
void follower_set_copy(struct follower *follower);
/* Subtracts the time in which the recorder held calls up from the times of the reported calls (core/pair.h). Call
 * follower_set_without_held before the first slot. */
void follower_set_without_held(struct follower *follower);
void free_follower(struct follower *follower);

/* The number of open calls of the stack to which the next enter or exit belongs. Calls that ended in a gap do not count;
 * calls that began in a gap count. */
uint32_t follower_depth(struct follower *follower);
/* Open calls of all stacks. */
uint64_t follower_open_calls(const struct follower *follower);
/* After an enter: the frame of the entered call, in which the caller may set .user. Null: no memory for the frame. */
struct dwell_frame *follower_top_frame(struct follower *follower);
/* Takes the next slots. */
void follower_feed(struct follower *follower, const uint64_t *slots, uint32_t count);

#endif
