/* by: the choice of the time that orders a table and gives its percentages: CPU time (--cpu), or wall-clock time (--wall), which
 * includes waiting and preemption. Also the titles of columns that depend on it. */
#ifndef DWELL_HOST_ANALYSIS_BY_H
#define DWELL_HOST_ANALYSIS_BY_H

#include <stdbool.h>
#include <string.h>

#include "model/profile/profile.h"

/* BY_BEST, for sums over all calls: CPU time if profile_knows_cpu, else wall-clock time. With wall-clock time, other programs on a
 * busy machine would decide which function leads. */
enum by { BY_BEST, BY_WALL, BY_CPU };

static inline bool by_is_cpu(enum by by, const struct profile *profile)
{
	return by == BY_CPU || (by == BY_BEST && profile_knows_cpu(profile));
}

/* Titles of columns: a wall-clock column is titled "wall" only if a CPU column stands beside it; a
 * percentage column names its time. */
static inline const char *by_title(bool has_off_cpu, const char *alone, const char *beside_cpu)
{
	return has_off_cpu ? beside_cpu : alone;
}
static inline const char *by_percent_title(bool has_off_cpu, bool is_cpu, const char *alone)
{
	return is_cpu ? "cpu %" : by_title(has_off_cpu, alone, "wall %");
}

/* The kind of self time that percentages refer to, as a phrase for sentences. */
static inline const char *by_self_title(const struct profile *profile, bool is_cpu)
{
	if (!profile->has_times)
		return strcmp(profile->unit, "ns") ? "self" : "self time";
	return is_cpu ? "self CPU time" : by_title(profile->has_off_cpu, "self time", "self wall-clock time");
}

#endif
