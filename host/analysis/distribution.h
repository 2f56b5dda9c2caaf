/* distribution: how long the calls of a function took, as the table of `dwell histogram`. One row for each range of durations, from
 * the shortest to the longest. A range is an octave or an equal part of one. No bucket of the histogram crosses its border, so
 * the counts are exact. */
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
	struct pattern *pattern; /* the function; several functions are taken together */
	const struct profile_function *durations; /* a row to use in place of the pattern's functions; null: the
	                                             pattern's functions in the profile */
	/* The results beside the rows, in ns. Percentiles are within 3 %. */
	uint64_t calls; /* calls in the rows: complete calls, with an entry and an exit */
	uint64_t others; /* calls of the function that are not in the rows */
	bool unsure;     /* no call is complete: the rows show incomplete calls, which took longer than shown */
	uint64_t min_ns, avg_ns, p50_ns, p90_ns, p99_ns, p999_ns, max_ns;
};

/* False: memory ran out, and no row was written. */
bool analysis_distribution(struct analysis_distribution *what, const struct table_sink *sink);

#endif
