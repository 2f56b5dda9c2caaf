/* calls: single calls of a recording as rows, in order of entry or of exit. The way of reading is the cheapest for the question:
 *
 *     by exit                   one pass
 *     by entry, a few calls     one pass by several threads, which select the calls (parallel/selection.h)
 *     by entry, all others      two passes (model/entry_order.h) */
#ifndef DWELL_HOST_QUERY_ASK_CALLS_H
#define DWELL_HOST_QUERY_ASK_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calls/call_filter.h"
#include "query/question.h"

/* question.by: the time for filter.longer_ns. */
struct calls_question {
	struct question question;
	struct call_filter filter; /* pattern, depth_limit, longer_on_cpu are ignored: question.function, .depth_limit, .by count */
	const char *order;         /* "exit"; otherwise by entry */
	bool args;                 /* with arguments and return values */

	/* Results. */
	uint64_t count;   /* number of rows */
	bool have_values; /* with args: at least one row has arguments or a return value */
};

#endif
