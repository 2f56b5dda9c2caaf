/* slowest: the slowest calls of a function, each with its callees, found in two passes over a file. */
#ifndef DWELL_HOST_QUERY_ASK_SLOWEST_H
#define DWELL_HOST_QUERY_ASK_SLOWEST_H

#include <stdbool.h>

#include "analysis/calls/slowest.h"
#include "query/question.h"

/* limit: number of calls. depth_limit and percent_min apply to the tree of each call. */
struct slowest_question {
	struct question question;
	bool args; /* with arguments and return values of the calls */
	uint64_t longer_ns; /* the first pass may ignore shorter calls, because enough calls are this long; 0: no limit */

	/* Results. */
	struct call_filter window; /* of the question's span */
	const struct clock_map *clock;
	struct slowest *slowest;
	struct pattern *pattern;
	const struct model *second_model; /* the model of the second pass, while that pass runs; else null */
};

/* Finds the calls in an open trace. False with a diag: there is no such call, or the trace cannot be read twice. */
bool slowest_find(struct slowest_question *ask, struct trace *trace);

#endif
