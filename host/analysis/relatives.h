/* relatives: the callers of a function, or its callees, with the number and the time of calls. A row for each caller or callee,
 * from a tree of pairs of functions or from the tree of paths. For `dwell callers`, `dwell callees` and the page.
 *
 * calls and self add up over the callers: to all calls of the function and to all its self time. total is the time during which a
 * row's calls ran; calls nested in another call of the row do not count again. So no row exceeds the function's own total, but the
 * rows of a recursive function together may. */
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
	struct pattern *pattern; /* the function; several functions are taken together */
	enum relatives_side side;
	uint64_t limit; /* number of rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: receives a summary of the rows beyond limit */
	enum by by; /* the total for the order of rows and for percentages */
	const struct estimates *shares; /* null; or for samples: the rows' intervals (relative_shares.h), with
	                                   samples in place of calls */
};

/* False: memory ran out, and no row was written. */
bool analysis_relatives(const struct analysis_relatives *what, const struct table_sink *sink);

/* The sums of a function, or of several functions together; total as above. */
struct analysis_sum {
	uint64_t functions, calls, total, self;
	struct off_cpu_ticks total_off, self_off; /* the parts of total and self off the CPU */
	uint64_t untimed_calls; /* the calls without a recorded exit */
	struct unsure unsure;   /* set if any of the functions is unsure */
};
struct analysis_sum analysis_sum(const struct profile *profile, struct pattern *pattern);

#endif
