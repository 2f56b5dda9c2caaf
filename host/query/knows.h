/* knows: whether a recording contains the data for a question. pre: the recording is read. False with a diag: data are missing. */
#ifndef DWELL_HOST_QUERY_KNOWS_H
#define DWELL_HOST_QUERY_KNOWS_H

#include <stdbool.h>

#include "analysis/by.h"
#include "model/function/pattern.h"
#include "query/trace.h"

/* The recording has any of the functions. A null pattern: memory ran out, which a diag reports. */
bool knows_function(const struct trace *trace, const char *function, struct pattern *pattern);
/* Reports that no function matches, with similar names. */
void knows_no_function(const struct trace *trace, const char *function, struct pattern *pattern);

/* The recording has single calls, neither samples nor sums. */
bool knows_calls(const struct trace *trace);
/* The recording has the times at which calls began and ended. */
bool knows_times(const struct trace *trace);
/* The recording has the durations of calls, or at least their sums. */
bool knows_durations(const struct trace *trace);
/* The recording has the time selected by `by`. CPU time may be missing from calls. Samples measure one kind of time,
 * so any choice is refused. */
bool knows_time_by(const struct trace *trace, enum by by, bool is_option);

#endif
