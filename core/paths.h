/* SPDX-License-Identifier: MIT
 *
 * Paths: turns finished calls into a tree of call paths, with counts, times, and a histogram of durations for
 * each function. The tree replaces calls where single calls are not needed. It is in the caller's memory,
 * which the caller may replace by a larger block at any time.
 *
 *     memory = …dwell_paths_bytes(&size)…;
 *     dwell_paths_init(&paths, memory, &size);
 *     for each call of a fold (dwell_fold_set_calls):
 *             dwell_paths_add(&paths, frames, depth, call)
 *     …
 *     read nodes, functions, octaves; dwell_paths_clear(&paths);
 *
 * A call finds its node at its end, not at its start. Open frames cache their node in .user, together with the tree's generation;
 * emptying the tree starts a new generation, so no frame needs an update. When no node is left, a call counts for its function
 * only; when no function is left, in other_calls and other_ticks.
 *
 * Some calls are listed one by one elsewhere, and the calls that they made are counted here. The self time of a listed call then
 * includes the time of these calls; taken_ticks is that time (dwell_paths_take). */
#ifndef DWELL_CORE_PATHS_H
#define DWELL_CORE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/duration.h"
#include "core/pair.h"

#define DWELL_PATHS_ROOT 0u /* the node above all outermost calls */
#define DWELL_PATHS_NONE UINT32_MAX

/* A function, called from the path of its parent: 48 bytes, and 8 of hash slots. */
struct dwell_path {
	uint32_t parent;
	uint32_t function;
	uint32_t recent;      /* internal: the child found last */
	uint32_t reserved;
	uint64_t calls;       /* finished calls, whether complete or not */
	uint64_t total_ticks;
	uint64_t self_ticks;
	uint64_t taken_ticks; /* the part of listed calls' self time that was spent in calls counted here */
};

/* The durations come from complete calls (entered, and left by an exit or an
 * unwind), or from incomplete calls before the first complete one. */
struct dwell_path_function {
	uint64_t place; /* DWELL_ID_UNKNOWN: unknown */
	uint64_t folded_calls, folded_total_ticks, folded_self_ticks; /* sums over calls without a node; of recursive calls
	                                                                 only the outermost one's total */
	uint64_t untimed_calls; /* calls whose exits are not recorded */
	uint64_t min_ticks, max_ticks, sum_ticks, durations;
	bool incomplete;        /* there are durations, and all come from incomplete calls */
	uint32_t octaves[DWELL_DURATION_OCTAVES]; /* number of a block of counters plus 1; 0: no block */
};

/* Capacity. nodes and functions are powers of two, at least 2; octaves is the number of blocks of DWELL_DURATION_STEPS counters. */
struct dwell_paths_size {
	uint32_t nodes, functions, octaves;
};

struct dwell_paths {
	struct dwell_paths_size size;
	uint32_t node_count, function_count, octave_count; /* used so far; node 0 is the root */
	struct dwell_path *nodes;
	struct dwell_path_function *functions;
	uint64_t (*octaves)[DWELL_DURATION_STEPS];
	uint32_t *node_slots, *function_slots; /* internal: hash tables of number plus 1, 0: free */
	uint32_t generation;                   /* internal: never 0 */
	bool full;                             /* a node, function or octave found no room since the tree was emptied or moved */
	uint64_t other_calls, other_ticks;     /* calls of functions without room, and their self time */
	uint64_t unbinned;                     /* durations that are in no bucket for want of room */
};

/* Returns the bytes needed by paths of this size; 0: more than the address space allows. */
size_t dwell_paths_bytes(const struct dwell_paths_size *size);
/* pre: memory is aligned for uint64_t and has dwell_paths_bytes(size) bytes. */
void dwell_paths_init(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size);
/* Moves the paths into other memory, of at least the same size. The nodes cached in frames stay valid,
 * unless the tree was full. */
void dwell_paths_move(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size);
/* Empties the tree. */
void dwell_paths_clear(struct dwell_paths *paths);

/* Returns the node of a function called from the path of parent, created if new. DWELL_PATHS_NONE: no room. */
uint32_t dwell_paths_child(struct dwell_paths *paths, uint32_t parent, uint64_t place);
/* Returns the node of the innermost of the open calls frames (outermost
 * first), or the root when depth is 0. DWELL_PATHS_NONE: no room. */
uint32_t dwell_paths_find_open(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth);

/* Adds a finished call. frames are the calls still open, outermost first; the innermost one made the call.
 * Context: the owner of the paths; about 40 instructions for an existing path. */
void dwell_paths_add(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth, const struct dwell_call *call);
/* For an innermost open call that is listed elsewhere: adds ticks to taken_ticks of its node. The ticks are the part of the call's
 * self time there that was spent in calls counted here. depth 0: time outside of all calls, at the root. ticks may be 0 − n, to
 * take back n. Returns false without room for the node. */
bool dwell_paths_take(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth, uint64_t ticks);

#endif
