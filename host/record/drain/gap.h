/* gap: describes slots that the drain drops because the disk is too slow. A LOST and two slots behind the LOST state the number
 * of dropped events, and of the frames left and entered. */
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
	bool open;        /* gap_begin was called, and gap_end was not */
	bool exact;       /* the drain itself follows the dropped slots, and so has the open frames behind the gap */
	uint64_t dropped; /* with exact: dropped events */
	uint64_t lost_before; /* events lost by the thread before the gap */
	struct dwell_pair pair; /* continues from the drain's pair, which gets only the gap's description */
	struct dwell_fold fold;
	struct dwell_frame *frames;
	uint32_t frame_capacity;
};

/* Begins a gap behind the slots that fold has taken. If the thread runs several stacks, sets .exact: then do not call gap_add,
 * but let fold take the dropped slots, and add their number to .dropped. False: no memory, and no gap. */
bool gap_begin(struct gap *gap, const struct dwell_fold *fold);
/* Adds slots to the gap. */
void gap_add(struct gap *gap, const uint64_t *slots, uint32_t count);
/* Ends the gap: writes the gap's description (LOST and the slots behind the LOST)
 * to slots, and folds these slots. Returns the number of dropped events. */
uint64_t gap_end(struct gap *gap, struct dwell_fold *fold, uint64_t slots[static GAP_SLOTS]);
/* Writes a gap to slots: the numbers of events, of frames left and of frames entered. More frames than fit are unknown
 * (DWELL_LOST_ALL). */
void gap_put(uint64_t events, uint64_t pops, uint64_t pushes, uint64_t slots[static GAP_SLOTS]);
void gap_clear(struct gap *gap);

#endif
