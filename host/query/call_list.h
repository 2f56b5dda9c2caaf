/* call_list: single calls of a recording as rows, in order of entry or of exit: read in the way that costs least for what is asked.
 *
 *     few of them       one pass by several threads, each of which picks out what it finds (parallel/selection.h)
 *     anything else     two passes in order (model/entry_order.h); by exit, one
 */
#ifndef DWELL_HOST_QUERY_CALL_LIST_H
#define DWELL_HOST_QUERY_CALL_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/calls/call_filter.h"
#include "analysis/table.h"
#include "query/trace.h"

struct call_list {
	/* What is asked. */
	const char *function, *thread; /* null: all */
	struct call_filter filter;     /* but for its pattern */
	enum by by;                    /* which time filter.longer_ns is of */
	uint64_t limit;
	bool by_exit;
	bool args;  /* with arguments; trace.wants_values says so, too */
	/* Called once, when it is known that there is an answer and before its first row: where rows go. */
	const struct table_sink *(*begin)(void *context, struct trace *trace);
	void *context;
	/* Set at its end. */
	uint64_t count;   /* rows */
	bool have_values; /* with args: some row has arguments or a return value */
};

/* trace is open, and is read. Diags say what goes wrong; a table that has begun is ended. */
void call_list_write(struct call_list *list, struct trace *trace);

#endif
