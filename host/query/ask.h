/* ask: a question about one function (or the functions that a pattern means), for the commands that have FUNC FILE behind their options. */
#ifndef DWELL_HOST_QUERY_ASK_H
#define DWELL_HOST_QUERY_ASK_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/by.h"
#include "model/function/pattern.h"
#include "query/trace.h"

/* Says that no function is meant, with names that are near. */
void ask_refuse(const struct trace *trace, const char *function, struct pattern *pattern);

/* When the trace is read: whether it has any of the functions. False and a diag: none, or pattern is null, as there was no memory. */
bool ask_found(const struct trace *trace, const char *function, struct pattern *pattern);

/* When the trace is read: whether it can have single calls. False and a diag: it holds samples, or sums. */
bool ask_has_calls(const struct trace *trace);

/* Likewise, whether they have times. */
bool ask_has_times(const struct trace *trace);
/* Whether it is known how long calls took, if only in sum. */
bool ask_has_durations(const struct trace *trace);

/* Reads the trace for each single call of the functions: by several threads where these are few, else in the order in which they ended.
 * begin is told the pattern before the first (true: go on), and keeps it; take comes for calls of other functions, too. False and a diag
 * when that fails. */
struct ask_calls {
	const char *function, *thread;
	bool (*begin)(void *context, struct pattern *pattern);
	call_fn *take;
	void *context;
	uint64_t longer_ns; /* only those that took as long need be told; 0: all */
};
bool ask_calls(struct trace *trace, const struct ask_calls *what);

/* When the trace is read. False and a diag: by CPU time, and it is not known; or by one of the two, of samples: these are of one time. */
bool ask_knows_time(const struct trace *trace, enum by by);

#endif
