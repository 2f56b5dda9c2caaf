/* frames: an .eh_frame section for the code of a plan, and its index in front of it: an entry for each function, by the notes of what was
 * moved where. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FRAMES_H
#define DWELL_HOST_PLAN_FRAMES_H

#include "plan/emit.h"

struct plan_frames {
	uint8_t *bytes; /* to be freed */
	size_t count, capacity;
	size_t common; /* where the section begins, with the record that is common to all entries */
	uint32_t entry_count;
	bool bad;
};

/* False: no memory. */
bool plan_frames_make(struct plan_frames *frames, const struct plan_output *output, const struct plan_code *code);

#endif
