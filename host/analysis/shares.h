/* shares: the flat profile of samples. A row for each function: its share, and the interval around the share. For `dwell
 * report`. */
#ifndef DWELL_HOST_ANALYSIS_SHARES_H
#define DWELL_HOST_ANALYSIS_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/profile/profile.h"

struct analysis_shares {
	const struct profile *profile; /* with samples; or empty, if sampling was on but took none */
	struct functions *functions;
	const char *sort; /* a key of analysis_shares_sort_keys(); null: self_percent. "self" and "total" mean the percentages */
	uint64_t limit;   /* number of rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: receives a summary of the rows beyond limit */
};

/* Whether key can sort the table; and the list of the keys, for messages. */
bool analysis_shares_can_sort(const char *key);
const char *analysis_shares_sort_keys(void);

/* False: memory ran out, and no row was written. */
bool analysis_shares(const struct analysis_shares *what, const struct table_sink *sink);

#endif
