/* gap: slots that are dropped → what a LOST in their place says. */
#ifndef DWELL_HOST_RECORD_DRAIN_GAP_H
#define DWELL_HOST_RECORD_DRAIN_GAP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/pair.h"

/* Slots that say a gap, at most. */
#define GAP_SLOTS 3

/* Zero it before the first use, clear it after the last. */
struct gap {
	bool open;
	bool exact;       /* the drain itself has followed it, and is behind it */
	uint64_t dropped; /* events, then */
	uint64_t lost_before; /* events that the frames' thread had lost before it */
	struct dwell_pair pair; /* goes on where the drain's stands; that one learns of the gap only what the file says */
	struct dwell_fold fold;
	struct dwell_frame *frames;
	uint32_t frame_capacity;
};

/* Begins a gap, behind what fold and its pair have seen. False: no memory. */
bool gap_begin(struct gap *gap, const struct dwell_fold *fold);
/* These slots are in it. */
void gap_add(struct gap *gap, const uint64_t *slots, uint32_t count);
/* Ends it, and folds what is said of it: LOST and what follows, into slots. Returns how many events were dropped. */
uint64_t gap_end(struct gap *gap, struct dwell_fold *fold, uint64_t slots[static GAP_SLOTS]);
void gap_clear(struct gap *gap);

#endif
