/* call_filter: selects single calls by the user's options (function, duration, depth, time). For calls, slowest and exports. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALL_FILTER_H
#define DWELL_HOST_ANALYSIS_CALLS_CALL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/clock.h"
#include "model/function/pattern.h"
#include "model/model.h"

struct call_filter {
	struct pattern *pattern;  /* null: any function */
	uint64_t longer_ns;       /* minimum duration; for calls whose duration is only a lower bound, the bound counts; 0: none */
	bool longer_on_cpu;       /* longer_ns applies to CPU time; calls with unknown CPU time count as 0 */
	uint64_t depth_limit;     /* levels, counted from the outermost call; UINT64_MAX: all */
	int64_t from_ns, to_ns;   /* the call ran at some time within these two moments, both since the origin;
	                             INT64_MIN, INT64_MAX: no limit */
};

/* A filter for all calls. */
static inline struct call_filter call_filter_all(void)
{
	return (struct call_filter){.depth_limit = UINT64_MAX, .from_ns = INT64_MIN, .to_ns = INT64_MAX};
}
static inline bool call_filter_has_times(const struct call_filter *filter)
{
	return filter->from_ns != INT64_MIN || filter->to_ns != INT64_MAX;
}

/* The duration that longer_ns applies to, in ticks. */
static inline uint64_t call_filter_duration(const struct call_filter *filter, const struct call *call)
{
	if (!filter->longer_on_cpu)
		return call->total_ticks;
	return call->off_cpu_unknown ? 0 : profile_rest(call->total_ticks, profile_off_cpu(&call->total_off));
}

/* Whether the filter selects the call. Tests cheap conditions first. */
static inline bool call_filter_matches(const struct call_filter *filter, const struct clock_map *clock, const struct call *call)
{
	return call->depth < filter->depth_limit &&
	       (!filter->longer_ns || clock_duration_ns(clock, call_filter_duration(filter, call)) >= filter->longer_ns) &&
	       (filter->to_ns == INT64_MAX || clock_moment_ns(clock, call->enter_ticks) <= filter->to_ns) &&
	       (filter->from_ns == INT64_MIN || clock_moment_ns(clock, call->exit_ticks) >= filter->from_ns) &&
	       (!filter->pattern || pattern_matches(filter->pattern, call->function));
}

#endif
