/* tree: the call tree, in preorder; callees of one caller by falling total. */
#ifndef DWELL_HOST_ANALYSIS_TREE_H
#define DWELL_HOST_ANALYSIS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/clock.h"
#include "model/profile/profile.h"

struct analysis_tree {
	const struct profile *profile;
	struct functions *functions;
	const struct clock_map *clock;
	uint64_t limit;       /* rows; UINT64_MAX: all */
	uint64_t depth_limit; /* levels; UINT64_MAX: all */
	enum by by;           /* which total orders, and percentages are of */
	double percent_min;   /* of the whole: paths below that are left out, with what they call; 0: all */
	bool sums;            /* nanoseconds of self are rounded so that those of a function's paths add up to what the report says of it;
	                         else each for itself. Of a tree with all rows */
	bool places;          /* which file a function is of, and its link-time address, as two more columns: "file", "address" */
	struct table_rest *rest; /* null, or zeroed: what limit leaves out */
	const struct tree *tree; /* null: the profile's; else one of its threads', whose self times are then rounded each for itself */
};

/* False when there is no memory: nothing was written. */
bool analysis_tree(const struct analysis_tree *what, const struct table_sink *sink);

#endif
