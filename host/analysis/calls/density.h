/* density: how much of each slice of time each function took, for each thread and depth: what is shown where there are too many calls to
 * show each.
 *
 * Slices are powers of two of ticks, as short as what there is allows: SLICES_MAX from the first call to the last, and PIECES_MAX
 * pieces. Where that is too much, two slices become one. So how long they are depends on the calls alone, not on the order in which
 * they come: densities of parts add up to that of the whole. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_DENSITY_H
#define DWELL_HOST_ANALYSIS_CALLS_DENSITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

#define DENSITY_SLICES_MAX 4096u
#define DENSITY_PIECES_MAX (1u << 18)
#define DENSITY_DEPTH_MAX 64u /* deeper calls are in none */

/* What one function took of one slice, at one depth of one thread. */
struct density_piece {
	uint64_t slice;
	uint32_t stream, function;
	uint32_t depth;
	uint32_t is_used; /* internal */
	uint64_t ticks, calls; /* calls: that were entered in it */
};

/* Zeroed: empty. */
struct density {
	struct density_piece *pieces; /* a table; those that are not used are empty */
	size_t count, capacity;       /* capacity: 0 or a power of two */
	size_t recent[DENSITY_DEPTH_MAX]; /* where calls of that depth were counted last: a guess */
	uint32_t shift;               /* a slice is so many ticks: 1 << shift */
	uint64_t first_slice, last_slice;
	bool has_failed;              /* there was no memory: some is missing */
};

void density_add(struct density *density, const struct call *call);
/* Slices are that long at the least: who knows how long it all takes saves the way there. */
void density_coarsen(struct density *density, uint32_t shift);
/* How long slices must be for what is from the one to the other. */
uint32_t density_shift_for(uint64_t first_ticks, uint64_t last_ticks);
/* Adds those of from, which is empty then and keeps its memory. */
void density_merge(struct density *into, struct density *take_from);
/* Ids have changed: map[old] is the new one. */
void density_renumber(struct density *density, const uint32_t *map, size_t count);
/* One behind the other, by stream, depth, slice, and the most ticks first. The table is none any more. */
void density_sort(struct density *density);
/* Keeps its memory. */
void density_empty(struct density *density);
void density_clear(struct density *density);

#endif
