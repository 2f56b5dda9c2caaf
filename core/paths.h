/* SPDX-License-Identifier: MIT
 *
 * Paths: finished calls → the tree of paths that they were on, with counts, times and a histogram of durations for each function: what is
 * left of calls when single ones are not wanted. In the caller's memory, which may be replaced by larger one at any time.
 *
 *     memory = …dwell_paths_bytes(&size)…;
 *     dwell_paths_init(&paths, memory, &size);
 *     for each call of a fold (dwell_fold_set_calls):
 *             dwell_paths_add(&paths, frames, depth, call)
 *     …
 *     read nodes, functions, octaves; dwell_paths_clear(&paths);
 *
 * A node is found when a call on it is over, not when it begins: open frames remember the node that was found for them in .user, with the
 * generation that it is of, so that nothing needs to be told them when the tree is emptied. Where no node is left, a call counts for its
 * function alone; where no function is left, in others.
 *
 * Two sums tell of calls that are listed elsewhere (dwell_paths_take): time that was theirs to whoever lists them, but was spent in calls
 * that are counted here. */
#ifndef DWELL_CORE_PATHS_H
#define DWELL_CORE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/duration.h"
#include "core/pair.h"

#define DWELL_PATHS_ROOT 0u /* the node above all outermost calls */
#define DWELL_PATHS_NONE UINT32_MAX

/* A function called from the path of its parent: 56 bytes. */
struct dwell_path {
	uint32_t parent;
	uint32_t function;
	uint32_t recent;      /* internal: the child that was asked for last */
	uint32_t reserved;
	uint64_t calls;       /* finished, in whatever way */
	uint64_t total_ticks;
	uint64_t self_ticks;
	uint64_t taken_ticks; /* of listed calls: not their own after all */
};

/* Durations are of complete calls (entered, and left by an exit or an unwind); where there are none, of the others. */
struct dwell_path_function {
	uint64_t place; /* DWELL_ID_UNKNOWN: not known */
	uint64_t folded_calls, folded_total_ticks, folded_self_ticks; /* of calls without a node; of recursive ones the outermost's total */
	uint64_t untimed_calls; /* whose exits are not recorded */
	uint64_t min_ticks, max_ticks, sum_ticks, durations;
	bool incomplete;        /* there is no complete call so far */
	uint32_t octaves[DWELL_DURATION_OCTAVES]; /* number of a block of counters plus 1; 0: none */
};

/* How many of each there is room for: of nodes and functions a power of two, 2 at least. */
struct dwell_paths_size {
	uint32_t nodes, functions, octaves;
};

struct dwell_paths {
	struct dwell_paths_size size;
	uint32_t node_count, function_count, octave_count; /* used; node 0 is the root */
	struct dwell_path *nodes;
	struct dwell_path_function *functions;
	uint64_t (*octaves)[DWELL_DURATION_STEPS];
	uint32_t *node_slots, *function_slots; /* internal: hashed; number plus 1, 0: free */
	uint32_t generation;                   /* internal: not 0 */
	bool full;                             /* something found no room since the tree was emptied */
	uint64_t other_calls, other_ticks;     /* of functions without room; their self */
	uint64_t unbinned;                     /* durations that are in no bucket */
};

/* 0: more than can be. */
size_t dwell_paths_bytes(const struct dwell_paths_size *size);
/* pre: memory is aligned for uint64_t and of dwell_paths_bytes(size). */
void dwell_paths_init(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size);
/* Into other memory, of a size that is no smaller; what frames remember stays right. */
void dwell_paths_move(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size);
/* Empties it. */
void dwell_paths_clear(struct dwell_paths *paths);

/* The node of a function that is called from the path of parent, made when it is new. DWELL_PATHS_NONE: no room. */
uint32_t dwell_paths_child(struct dwell_paths *paths, uint32_t parent, uint64_t place);
/* The node of the innermost of these open calls, outermost first; the root when depth is 0. DWELL_PATHS_NONE: no room. */
uint32_t dwell_paths_reach(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth);

/* A call is over that was made by the innermost of these.
 * Context: whoever owns the paths; about 40 instructions for a path that is there. */
void dwell_paths_add(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth, const struct dwell_call *call);
/* So much of what the innermost of these open calls did was calls that are counted here; it is listed itself. False: no room. */
bool dwell_paths_take(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth, uint64_t ticks);

#endif
