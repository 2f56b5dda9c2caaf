/* cost_paths: divides the cost of recording a function among the paths that end in it, and subtracts it there: in proportion to the
 * cost of each path's calls, up to the path's time on the CPU. The sums by function and by path then agree. For cost.c; the
 * functions for arithmetic also for cost_pairs.c. */
#ifndef DWELL_HOST_MODEL_PROFILE_COST_PATHS_H
#define DWELL_HOST_MODEL_PROFILE_COST_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/overhead.h"
#include "model/profile/tree.h"

/* ticks: the cost of all calls of a function, to be subtracted. counted: the cost expected from the number of its calls, including
 * calls without a path of their own. In ticks, at most 1e18. */
struct cost_function {
	uint64_t ticks, counted;
};

/* Sums and costs end at 1e18 ticks: cost_ticks rounds down to whole ticks, cost_sum adds. cost_min: the smaller of the two. */
uint64_t cost_ticks(double ticks);
uint64_t cost_min(uint64_t a, uint64_t b);
uint64_t cost_sum(uint64_t a, uint64_t b);

/* ticks × part ÷ whole; 0 if whole is 0. pre: part ≤ whole. */
uint64_t cost_share(uint64_t ticks, uint64_t part, uint64_t whole);

/* ticks − cost, but not below at_least, nor above ticks. */
uint64_t cost_subtract(uint64_t ticks, uint64_t cost, uint64_t at_least);

/* functions: function_count + 1 entries. The last is for calls with different names at entry and
 * exit, which share one path. False: no memory. */
bool cost_take_from_tree(
	struct tree *tree, const struct overhead *overhead, const struct cost_function *functions, size_t function_count);

#endif
