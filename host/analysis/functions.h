/* functions: the flat profile. One row for each function. */
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
	/* Key of a column, with or without _ns. Numbers fall; names, and equal numbers, by name. Null: by self, of a net profile less
	 * half of how far that may be off: what is sure comes first. */
	const char *sort;
	enum by by;       /* which self time percentages are of; and which one, or total, is meant by sort where it does not say _cpu */
	uint64_t limit;   /* rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: what limit leaves out */
};

/* Whether a table can be sorted by it. has_times as in the profile: weights have fewer columns. */
bool analysis_functions_can_sort(const char *key, bool has_times);
/* Whether it is one of those that there are only where the profile has_off. */
bool analysis_functions_needs_cpu(const char *key);
/* Title of the column that a table is ordered by. Borrowed. */
const char *analysis_functions_order(const struct analysis_functions *what);
/* Which time that is; BY_BEST: it is no total or self time. */
enum by analysis_functions_ordered_by(const struct analysis_functions *what);
/* "function, calls, total, …": for messages. Borrowed. */
const char *analysis_functions_sort_keys(bool has_times);

/* False when there is no memory: nothing was written. */
bool analysis_functions(const struct analysis_functions *what, const struct table_sink *sink);

#endif
