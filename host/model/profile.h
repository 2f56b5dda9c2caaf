/* profile: the tree of functions with what was spent where. Crosses the border model → analysis.
 *
 * Merging is associative; a profile may be read while it grows. Times are in ticks; clock.h turns them into nanoseconds. Weights without
 * a time (folded stacks) use the same fields, with the unit that the source says. */
#ifndef DWELL_HOST_MODEL_PROFILE_H
#define DWELL_HOST_MODEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/function.h"
#include "model/histogram.h"

#define PROFILE_ROOT 0u /* the node above all outermost calls; function FUNCTION_NONE */

/* One function, over all its calls. */
struct profile_function {
	uint64_t calls;      /* entered; those without entry or still open included */
	uint64_t open_calls; /* of those: still running where the data ends; counted up to there */
	uint64_t total;      /* in it and its callees; nested calls of itself are not counted twice */
	uint64_t self;
	uint64_t min, max;   /* of complete calls; of the open ones where there is no complete one */
	uint64_t sum;        /* of the same calls' durations: avg = sum ÷ histogram.count */
	struct histogram durations; /* of the same calls */
};

/* One path from the root: a function called from that path. */
struct profile_node {
	uint32_t function;
	uint32_t parent, first_child, next_sibling; /* 0: none (the root is nobody's child) */
	uint64_t calls, total, self;
};

/* One thread, for the accounting equation: self + lost + outside = last − first. */
struct profile_thread {
	uint32_t stream, process, tid;
	char name[32];
	uint64_t events, calls, open_calls;
	uint64_t first_ticks, last_ticks;
	uint64_t self_ticks, lost_ticks, outside_ticks;
	uint64_t lost_events, unmatched_exits, unwound_calls, no_entry_calls, gap_calls;
	uint32_t deepest;
	bool ended, wrapped, full;
	bool balanced; /* the equation holds */
};

struct profile {
	struct profile_function *functions; /* indexed by function id */
	uint32_t function_count;
	struct profile_node *nodes;         /* nodes[PROFILE_ROOT] always exists */
	uint32_t node_count;
	struct profile_thread *threads;
	uint32_t thread_count;
	bool has_times;   /* ticks; else weights */
	const char *unit; /* of weights */
	uint64_t total;   /* sum of self over everything: what percentages are of */
};

/* The profile is made by the model (model.h) and merged by: */
struct profile *make_profile(void);
void free_profile(struct profile *profile);
bool profile_merge(struct profile *into, const struct profile *from);

#endif
