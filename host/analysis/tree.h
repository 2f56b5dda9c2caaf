/* tree: the call tree: a row for each path, in preorder; the callees of one caller by falling total. For `dwell tree`, the
 * page, and exports. */
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
	uint64_t limit;       /* number of rows; UINT64_MAX: all */
	uint64_t depth_limit; /* number of levels; UINT64_MAX: all */
	enum by by;           /* the total for the order of siblings and for percentages */
	double percent_min;   /* of the whole: smaller paths are left out, with everything below; 0: none */
	bool sums;            /* rounds self times so that those of a function's paths add up to the function's self time in the
	                         report; false: rounds each path by itself. Only for trees with all rows */
	bool places;          /* two more columns for the function's place: "file", and "address", the link-time address */
	struct table_rest *rest; /* null, or zeroed: receives a summary of the rows beyond limit */
	const struct tree *tree; /* null: the profile's tree; else the tree of a single thread, without sums */
	uint64_t whole;          /* of percentages, as whole_of gives it. 0: analysis_tree looks at all threads for it, which is too
	                            much for the tree of each thread */
};

/* False: memory ran out, and no row was written. */
bool analysis_tree(const struct analysis_tree *what, const struct table_sink *sink);

#endif
