/* frames: writes the unwind tables of a plan's code: an index (.eh_frame_hdr), then an .eh_frame section with an entry for each
 * function. With the tables, an unwinder finds the callers of the moved instructions. The entries follow from the notes on moved
 * instructions (emit.h). Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FRAMES_H
#define DWELL_HOST_PLAN_FRAMES_H

#include "plan/emit.h"

struct plan_frames {
	uint8_t *bytes; /* the caller frees them */
	size_t count, capacity;
	size_t section_at; /* offset of the section, which begins with the record common to all entries (CIE) */
	uint32_t entry_count;
	bool bad; /* out of memory */
};

/* Returns false if out of memory. */
bool plan_frames_make(struct plan_frames *frames, const struct plan_output *output, const struct plan_code *code);

#endif
