/* calls: single calls of a recording as rows, in order of entry or of exit. The way of reading is the cheapest for the question:
 *
 *     a few calls       one pass by several threads, each of which selects calls (parallel/selection.h)
 *     all others        two passes in order (model/entry_order.h); one pass by exit */
#ifndef DWELL_HOST_QUERY_ASK_CALLS_H
#define DWELL_HOST_QUERY_ASK_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calls/call_filter.h"
#include "query/question.h"

/* question.by: the time for filter.longer_ns. */
struct calls_question {
	struct question question;
	struct call_filter filter; /* pattern, depth_limit and longer_on_cpu are unused: question sets them */
	const char *order;         /* "exit"; otherwise by entry */
	bool args;                 /* with arguments and return values */

	/* Results. */
	uint64_t count;   /* number of rows */
	bool have_values; /* with args: at least one row has arguments or a return value */
};

#endif
