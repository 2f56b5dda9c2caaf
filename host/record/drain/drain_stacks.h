/* drain_stacks: the stacks of a thread that has several (coroutines), as a drainer follows them: a pairing for each but its own. */
#ifndef DWELL_HOST_RECORD_DRAIN_DRAIN_STACKS_H
#define DWELL_HOST_RECORD_DRAIN_DRAIN_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/pair.h"

/* More than that at a time, and those that have waited longest are forgotten. */
#define DRAIN_STACKS_MAX 65536u

struct drain_stack {
	uint32_t number;
	struct dwell_pair pair;
	struct dwell_frame *frames;
};

/* Zeroed: only its own. */
struct drain_stacks {
	struct drain_stack **list; /* by number */
	size_t count, capacity;
	bool is_copy; /* of a thread that was forked, with all its stacks */
	bool without_held; /* as in core/pair.h, likewise */
	/* One is about to be forgotten; null: nobody wants to know. */
	void (*on_forget)(void *context, struct dwell_pair *pair);
	void *context;
};

/* The pairing of the stack, begun when it is new; null: no memory. number: not 0. running: must not be forgotten. */
struct dwell_pair *drain_stacks_find(struct drain_stacks *stacks, uint32_t number, const struct dwell_pair *running);
/* Room for as many frames again in one of these. Nothing happens when there is no memory. */
void drain_stacks_grow(struct dwell_pair *pair);
/* One after the other; null: there are no more. */
struct dwell_pair *drain_stacks_get(const struct drain_stacks *stacks, uint32_t index);
/* Open frames of all. */
uint64_t drain_stacks_depth(const struct drain_stacks *stacks);
void drain_stacks_clear(struct drain_stacks *stacks);

#endif
