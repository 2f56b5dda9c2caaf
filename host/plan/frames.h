/* frames: writes an .eh_frame section for the code of a plan, preceded by its index, with an entry for each function. The entries
 * follow from the notes on moved instructions. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FRAMES_H
#define DWELL_HOST_PLAN_FRAMES_H

#include "plan/emit.h"

struct plan_frames {
	uint8_t *bytes; /* the caller frees them */
	size_t count, capacity;
	size_t common; /* start of the section, which begins with the record common to all entries */
	uint32_t entry_count;
	bool bad;
};

/* Returns false if out of memory. */
bool plan_frames_make(struct plan_frames *frames, const struct plan_output *output, const struct plan_code *code);

#endif
