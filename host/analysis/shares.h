/* shares: the flat profile of samples. One row for each function: its share, and between what the true one is. */
#ifndef DWELL_HOST_ANALYSIS_SHARES_H
#define DWELL_HOST_ANALYSIS_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/profile/profile.h"

struct analysis_shares {
	const struct profile *profile; /* of samples, or of none where some could have been */
	struct functions *functions;
	const char *sort; /* "function", "samples", "self_percent" or "total_percent"; null: self_percent. "self" and "total" will do */
	uint64_t limit;   /* rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: what limit leaves out */
};

/* Whether a table can be sorted by it, and by what else. */
bool analysis_shares_can_sort(const char *key);
const char *analysis_shares_sort_keys(void);

/* False when there is no memory: nothing was written. */
bool analysis_shares(const struct analysis_shares *what, const struct table_sink *sink);

#endif
