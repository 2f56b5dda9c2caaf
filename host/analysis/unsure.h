/* unsure: which times of a function get the mark "~" (uncertain). One rule for the report, the tree, callers and callees: all paths
 * of a function have the marks of the function. */
#ifndef DWELL_HOST_ANALYSIS_UNSURE_H
#define DWELL_HOST_ANALYSIS_UNSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/profile.h"

struct unsure {
	bool total, self;         /* wall-clock time */
	bool total_off, self_off; /* the parts off the CPU */
	bool total_cpu, self_cpu; /* the parts on the CPU: unsure because of the parts off the CPU, or
	                             because of the cost of recording */
};

/* id: for FUNCTION_NONE and FUNCTION_OTHER, which have no row, only the division into on and off the CPU can be unsure. */
struct unsure unsure_of(const struct profile *profile, uint32_t id);
/* For sums over several functions. */
void unsure_add(struct unsure *to, const struct unsure *more);

#endif
