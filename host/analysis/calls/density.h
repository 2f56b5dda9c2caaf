/* density: how much of each slice of time each function took, by thread and depth. The timeline of the page (dwell html) draws it
 * in place of single calls, if there are too many.
 *
 * The length of a slice is a power of two of ticks, as short as two limits permit: DENSITY_SLICES_MAX slices from the first call to
 * the last, and DENSITY_PIECES_MAX pieces. Beyond a limit, each two slices become one. So the length depends on the calls alone,
 * not on their order: the densities of parts of a trace add up to the density of the whole. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_DENSITY_H
#define DWELL_HOST_ANALYSIS_CALLS_DENSITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "util/lookup.h"

#define DENSITY_SLICES_MAX 4096u
#define DENSITY_PIECES_MAX (1u << 18)
#define DENSITY_DEPTH_MAX 64u /* deeper calls are left out */

/* The time of a function in a slice, at one depth of one thread. */
struct density_piece {
	uint64_t slice; /* its begin in ticks, shifted right by density.shift */
	uint32_t stream, function;
	uint32_t depth;
	uint64_t ticks, calls; /* calls: begun in this slice */
};

/* Zeroed: empty. */
struct density {
	struct density_piece *pieces;
	size_t count, capacity;
	struct lookup lookup;         /* (stream, function, depth, slice) → piece; empty once the pieces are sorted */
	size_t recent[DENSITY_DEPTH_MAX]; /* index: depth; the piece counted last at that depth, as a first guess */
	uint32_t shift;               /* a slice is 1 << shift ticks long */
	uint64_t first_slice, last_slice;
	bool has_failed;              /* memory ran out: some pieces are missing */
};

void density_add(struct density *density, const struct call *call);
/* Makes slices at least 1 << shift ticks long. If the caller knows the length of the trace in advance, this saves later steps. */
void density_coarsen(struct density *density, uint32_t shift);
/* The shift for slices that cover the time from first_ticks to last_ticks. */
uint32_t density_shift_for(uint64_t first_ticks, uint64_t last_ticks);
/* Adds all pieces of take_from, which is empty afterwards and keeps its memory. */
void density_merge(struct density *into, struct density *take_from);
/* Function ids have changed: map[old] is the new id. */
void density_renumber(struct density *density, const uint32_t *map, size_t count);
/* Sorts by stream, depth, slice, then falling ticks. Afterwards no call can be added. */
void density_sort(struct density *density);
/* Removes all pieces and keeps the memory. */
void density_empty(struct density *density);
void density_clear(struct density *density);

#endif
