/* tree: the call tree, in preorder; callees of one caller by falling total. */
#ifndef DWELL_HOST_ANALYSIS_TREE_H
#define DWELL_HOST_ANALYSIS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "model/clock.h"
#include "model/profile.h"

struct analysis_tree {
	const struct profile *profile;
	struct functions *functions;
	const struct clock_map *clock;
	uint64_t limit;       /* rows; UINT64_MAX: all */
	uint64_t depth_limit; /* levels; UINT64_MAX: all */
	enum by by;           /* which total orders, and percentages are of */
	double percent_min;   /* of the whole: paths below that are left out, with what they call; 0: all */
};

/* False when there is no memory: nothing was written. */
bool analysis_tree(const struct analysis_tree *what, const struct table_sink *sink);

#endif
