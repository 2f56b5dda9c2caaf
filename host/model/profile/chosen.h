/* chosen: of functions of which only the slowest calls are in the trace, how many there were, as the recorder says (INFO, kept-slowest). */
#ifndef DWELL_HOST_MODEL_PROFILE_CHOSEN_H
#define DWELL_HOST_MODEL_PROFILE_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/histogram.h"

#define CHOSEN_MAX 4096u /* functions; a trace that claims more is hostile */

struct chosen {
	struct chosen_function {
		char *name;
		uint64_t kept, calls, cut, open, total_ticks;
		struct histogram histogram; /* of all calls */
	} * functions;
	size_t count, capacity;
};

/* Zero it before the first use, clear it after the last. What is no such text is passed over. */
void chosen_add(struct chosen *chosen, const char *text);
void chosen_clear(struct chosen *chosen);

#endif
