/* relatives: who calls a function, or what it calls, with how often and how long. One row for each caller or callee, from the tree of
 * paths.
 *
 * calls and self add up over the callers: to all calls of the function and to all of its self time. total is the time in which a row's
 * calls were running: where such a call runs inside of another of the same row, it is not counted twice. So no row is more than the
 * function's own total, but the rows of a recursive function may be more together. */
#ifndef DWELL_HOST_ANALYSIS_RELATIVES_H
#define DWELL_HOST_ANALYSIS_RELATIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "analysis/unsure.h"
#include "model/clock.h"
#include "model/function/pattern.h"
#include "model/profile/estimate.h"
#include "model/profile/profile.h"

enum relatives_side { RELATIVES_CALLERS, RELATIVES_CALLEES };

struct analysis_relatives {
	const struct profile *profile;
	struct functions *functions;
	const struct clock_map *clock;
	struct pattern *pattern; /* the function; or several, taken for one */
	enum relatives_side side;
	uint64_t limit; /* rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: what limit leaves out */
	enum by by; /* which total orders, and percentages are of */
	const struct estimates *shares; /* null, or of samples: the rows' intervals (relative_shares.h), and samples in place of calls */
};

/* False when there is no memory: nothing was written. */
bool analysis_relatives(const struct analysis_relatives *what, const struct table_sink *sink);

/* The function, or the functions together: total as above. */
struct analysis_sum {
	uint64_t functions, calls, total, self;
	uint64_t total_off, self_off; /* of these: off the CPU */
	uint64_t untimed_calls; /* of these */
	struct unsure unsure;   /* if any of them is */
};
struct analysis_sum analysis_sum(const struct profile *profile, struct pattern *pattern);

#endif
