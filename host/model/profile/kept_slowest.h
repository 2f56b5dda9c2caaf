/* kept_slowest: the functions of which the trace has only the slowest calls (record --keep-slowest), with the totals over all their
 * calls. From the INFO messages "kept-slowest". */
#ifndef DWELL_HOST_MODEL_PROFILE_KEPT_SLOWEST_H
#define DWELL_HOST_MODEL_PROFILE_KEPT_SLOWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/histogram.h"

#define KEPT_SLOWEST_MAX 4096u /* functions; a trace with more is hostile */

struct kept_slowest {
	struct kept_slowest_function {
		char *name;
		uint64_t kept, calls, cut, open, total_ticks; /* in the trace; all; of kept: cut by a loss; open */
		struct histogram histogram; /* of all calls */
	} * functions;
	size_t count, capacity;
};

/* Zero the struct before the first use; kept_slowest_clear after the last. text: the value of an INFO message. Ignores a text of
 * another form. */
void kept_slowest_add(struct kept_slowest *kept_slowest, const char *text);
void kept_slowest_clear(struct kept_slowest *kept_slowest);

#endif
