/* overhead: what recording a call cost, by the recording's own measurements. */
#ifndef DWELL_HOST_MODEL_PROFILE_OVERHEAD_H
#define DWELL_HOST_MODEL_PROFILE_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

/* Ticks of a call. */
struct overhead_part {
	double ticks;    /* the middle of all measurements */
	double low, high; /* what most of them are between */
};

/* One of the ways in which calls are recorded: by hooks that are called, by sites that are patched. */
struct overhead_way {
	struct overhead_part inner, outer;
	unsigned measurements; /* 0: not known */
};

/* Zeroed: not known. */
struct overhead {
	struct overhead_way ways[2];
	bool is_known;
	struct overhead_part inner; /* between the two stamps of a call: in its own time */
	struct overhead_part outer; /* the rest: in its caller's */
	unsigned measurements;      /* of all ways */
	uint64_t left_out; /* calls that cost as much in who made them, and are not in the file */
	char problem[80];  /* why it is not known, where the recording says so; else empty */
};

/* Takes in a fact of the recording: overhead-hooks or overhead-sites, "inner 54.1 (52.0 to 60.3), outer 80.2 (78.0 to 93.3), ticks,
 * measured 12 times", which replaces what was said of this way before. Of several ways nobody knows which function's calls were which: then
 * it is between them. Or overhead-left-out, "400 calls, ..."; or overhead, "not known: ...". What is of another form is passed over. */
bool overhead_is_of_way(const char *key); /* each such fact replaces what was there of its key */
void overhead_add(struct overhead *overhead, const char *key, const char *text);

#endif
