/* groups: self times added up by thread, process, module or source file. For `dwell report --group`. */
#ifndef DWELL_HOST_ANALYSIS_GROUPS_H
#define DWELL_HOST_ANALYSIS_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/function/lines.h"
#include "model/model.h"

enum group_key { GROUP_MODULE, GROUP_THREAD, GROUP_PROCESS, GROUP_SOURCE };

struct analysis_groups {
	const struct model *model;
	enum group_key key;
	struct lines *lines; /* for GROUP_SOURCE */
	enum by by;          /* the time for the order and for percentages */
	uint64_t limit;      /* number of rows; UINT64_MAX: all */
	struct table_rest *rest; /* receives a summary of the rows beyond limit */
};

/* False: memory ran out, and no row was written. */
bool analysis_groups(const struct analysis_groups *what, const struct table_sink *sink);

#endif
