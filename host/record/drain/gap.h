/* gap: replaces dropped slots by a LOST. */
#ifndef DWELL_HOST_RECORD_DRAIN_GAP_H
#define DWELL_HOST_RECORD_DRAIN_GAP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/pair.h"

/* The most slots that describe a gap. */
#define GAP_SLOTS 3

/* Zero the gap before the first use, clear it after the last. */
struct gap {
	bool open;
	bool exact;       /* the drain itself follows the gap, so the frames behind it are known */
	uint64_t dropped; /* with exact: dropped events */
	uint64_t lost_before; /* events lost by the thread before the gap */
	struct dwell_pair pair; /* continues from the drain's pair, which gets only the gap's description */
	struct dwell_fold fold;
	struct dwell_frame *frames;
	uint32_t frame_capacity;
};

/* Begins a gap at the state of fold and its pair. False: no memory. */
bool gap_begin(struct gap *gap, const struct dwell_fold *fold);
/* Adds slots to the gap. */
void gap_add(struct gap *gap, const uint64_t *slots, uint32_t count);
/* Ends the gap: writes its description (LOST and the slots that follow)
 * to slots, and folds it. Returns the number of dropped events. */
uint64_t gap_end(struct gap *gap, struct dwell_fold *fold, uint64_t slots[static GAP_SLOTS]);
void gap_clear(struct gap *gap);

#endif
