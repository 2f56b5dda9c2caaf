/* require: checks that a recording has the data for a question. All functions: pre: the recording is read. False with a diag: the
 * recording lacks the data. */
#ifndef DWELL_HOST_QUERY_REQUIRE_H
#define DWELL_HOST_QUERY_REQUIRE_H

#include <stdbool.h>

#include "analysis/by.h"
#include "model/function/pattern.h"
#include "query/trace.h"

/* At least one function that matches the pattern was called or sampled. function: the pattern's text, for the diag. pattern null:
 * memory ran out, and the function returns false with a diag. */
bool require_function(const struct trace *trace, const char *function, struct pattern *pattern);
/* Adds the error that no function matches the pattern, with similar names. */
void require_report_no_function(const struct trace *trace, const char *function, struct pattern *pattern);

/* The recording has single calls, neither samples nor sums. */
bool require_calls(const struct trace *trace);
/* The recording has the times at which calls began and ended. */
bool require_times(const struct trace *trace);
/* The recording has the durations of calls, or at least their sums. */
bool require_durations(const struct trace *trace);
/* The recording has the time selected by `by`. Recorded calls may lack CPU time. Samples measure only one kind of time, so they
 * allow only BY_BEST. is_option: the diag names --cpu, not the parameter `by cpu`. */
bool require_time_by(const struct trace *trace, enum by by, bool is_option);

#endif
