/* by: which of two times orders and measures: on the CPU; or wall, by the clock, with all that a thread waited or was preempted for. */
#ifndef DWELL_HOST_ANALYSIS_BY_H
#define DWELL_HOST_ANALYSIS_BY_H

#include <stdbool.h>
#include <string.h>

#include "model/profile/profile.h"

/* BY_BEST, for sums over all calls: on the CPU where that is known, for a busy machine must not decide what leads; else wall. */
enum by { BY_BEST, BY_WALL, BY_CPU };

static inline bool by_is_cpu(enum by by, const struct profile *profile)
{
	return by == BY_CPU || (by == BY_BEST && profile_knows_cpu(profile));
}

/* Columns of wall times are titled as such where there are others beside them; and percentages by what they are of. */
static inline const char *by_title(bool has_off, const char *alone, const char *beside_cpu)
{
	return has_off ? beside_cpu : alone;
}
static inline const char *by_percent_title(bool has_off, bool is_cpu, const char *alone)
{
	return is_cpu ? "cpu %" : by_title(has_off, alone, "wall %");
}

/* What shares of self time are of, in a sentence. */
static inline const char *by_self_title(const struct profile *profile, bool is_cpu)
{
	if (!profile->has_times)
		return strcmp(profile->unit, "ns") ? "self" : "self time";
	return is_cpu ? "self CPU time" : by_title(profile->has_off, "self time", "self wall-clock time");
}

#endif
