/* functions: the flat profile of a recording with calls or sums: a row for each function. For `dwell report`; shares.h does the
 * same for samples. */
#ifndef DWELL_HOST_ANALYSIS_FUNCTIONS_H
#define DWELL_HOST_ANALYSIS_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/clock.h"
#include "model/profile/profile.h"

struct analysis_functions {
	const struct profile *profile;
	struct functions *functions;
	const struct clock_map *clock;
	/* Key of a column, with or without "_ns". Sorts by falling numbers; rows of equal numbers by name. Null: by self time. In a
	 * net profile, null puts functions with a very uncertain share first, by the upper end of its interval. */
	const char *sort;
	enum by by;       /* the time for percentages, and for a sort key without "_cpu" */
	uint64_t limit;   /* number of rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: receives a summary of the rows beyond limit */
};

/* Whether key can sort the table. has_times: as in struct profile; tables of weights have fewer columns. */
bool analysis_functions_can_sort(const char *key, bool has_times);
/* Whether key names a column that exists only if the profile has_faults. */
bool analysis_functions_needs_faults(const char *key);
/* Whether key names a column that exists only if the profile has_off_cpu. */
bool analysis_functions_needs_cpu(const char *key);
/* Title of the column for the order of the table. Borrowed. */
const char *analysis_functions_order(const struct analysis_functions *what);
/* The kind of time in the column of analysis_functions_order. BY_BEST: the column is no total or self time. */
enum by analysis_functions_ordered_by(const struct analysis_functions *what);
/* The list "function, calls, total, …" for messages. Borrowed. */
const char *analysis_functions_sort_keys(bool has_times);

/* False: memory ran out, and no row was written. */
bool analysis_functions(const struct analysis_functions *what, const struct table_sink *sink);

#endif
