/* unsure: which times of a function are marked with ~. One rule for the report, the tree, callers and callees: all paths of a function are
 * marked as the function is. */
#ifndef DWELL_HOST_ANALYSIS_UNSURE_H
#define DWELL_HOST_ANALYSIS_UNSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/profile.h"

struct unsure {
	bool total, self;         /* by the clock */
	bool total_off, self_off; /* which part of them was on the CPU, and off it */
	bool total_cpu, self_cpu; /* for that reason or because of what recording cost */
};

/* id: may be FUNCTION_NONE, of which all is sure but what was on the CPU. */
struct unsure unsure_of(const struct profile *profile, uint32_t id);
/* Of sums over several functions. */
void unsure_add(struct unsure *to, const struct unsure *more);

#endif
