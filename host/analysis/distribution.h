/* distribution: how long the calls of a function took. One row for each range of durations, from the shortest to the longest; the ranges
 * are equal parts of octaves, so that counts are exact. */
#ifndef DWELL_HOST_ANALYSIS_DISTRIBUTION_H
#define DWELL_HOST_ANALYSIS_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/clock.h"
#include "model/function/pattern.h"
#include "model/profile/profile.h"

struct analysis_distribution {
	const struct profile *profile;
	const struct clock_map *clock;
	struct pattern *pattern; /* the function; or several, taken for one */
	const struct profile_function *durations; /* of these calls, of its calls and durations; null: as the profile has them */
	/* The answer beside the rows, in ns; percentiles within 3 %. */
	uint64_t calls; /* in the rows: complete ones, entered and left */
	uint64_t others; /* that are in no row, as nobody knows how long they took */
	bool unsure;     /* there are no complete ones: rows are of the others, which took longer */
	uint64_t min_ns, avg_ns, p50_ns, p90_ns, p99_ns, p999_ns, max_ns;
};

/* False when there is no memory: nothing was written. */
bool analysis_distribution(struct analysis_distribution *what, const struct table_sink *sink);

#endif
