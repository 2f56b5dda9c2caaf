/* known: what a profile must have, so that a column of a table has values. For the tables of tree.c and relatives.c. */
#ifndef DWELL_HOST_ANALYSIS_KNOWN_H
#define DWELL_HOST_ANALYSIS_KNOWN_H

#include "analysis/table.h"
#include "model/profile/profile.h"

enum known {
	KNOWN_ALWAYS,
	KNOWN_TIMES,
	KNOWN_CPU,     /* how much of each time was on the CPU */
	KNOWN_FAULTS,  /* page faults */
	KNOWN_WEIGHTS, /* sums of something other than time */
	KNOWN_SHARES,  /* samples with intervals */
};

static inline bool known_is(enum known known, const struct profile *profile, bool has_shares)
{
	switch (known) {
	case KNOWN_TIMES:
		return profile->has_times;
	case KNOWN_CPU:
		return profile->has_times && profile->has_off_cpu;
	case KNOWN_FAULTS:
		return profile->has_times && profile->has_faults;
	case KNOWN_WEIGHTS:
		return !profile->has_times;
	case KNOWN_SHARES:
		return has_shares;
	default:
		return true;
	}
}

#endif
