/* overhead: the cost of recording a call, as the recorder measured it during the recording. From INFO messages; cost.h subtracts
 * it. */
#ifndef DWELL_HOST_MODEL_PROFILE_OVERHEAD_H
#define DWELL_HOST_MODEL_PROFILE_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

/* Cost of an event in ticks: lower and upper bound, and the middle. */
struct overhead_part {
	double ticks, low, high;
};

/* The loops that the recorder measures: empty calls; calls beside other work; calls with hooks and ring out of the cache. */
enum overhead_loop { OVERHEAD_EMPTY, OVERHEAD_WORK, OVERHEAD_EVICTED, OVERHEAD_LOOPS };
/* The result of one loop: the mean of its measurements, and the error of the mean. */
struct overhead_measured {
	double ticks, error;
};

/* One way of recording calls: hooks, which are called, or sites, which are patched. */
struct overhead_way {
	struct overhead_measured inner[OVERHEAD_LOOPS], outer[OVERHEAD_LOOPS];
	unsigned measurements[OVERHEAD_LOOPS]; /* 0: unknown */
};

/* Zeroed: unknown. */
struct overhead {
	struct overhead_way ways[2];
	bool is_known;
	struct overhead_part inner; /* cost between the two stamps of a call: in the call's own time */
	struct overhead_part outer; /* the rest of the cost: in the caller's time */
	unsigned measurements;      /* of empty calls, over all ways */
	uint64_t left_out; /* calls that the recorder recorded and left out of the file: they cost their callers as much */
	char problem[80];  /* the recording's reason why the cost is unknown, else empty */
};

/* Reads key and text of an INFO message. Ignores a text of another form. Keys:
 *
 * overhead-hooks or overhead-sites: "inner 54.1 (52.0 to 60.3), outer 80.2 (78.0 to 93.3), ticks, measured 12 times", of
 * empty calls; the same with -beside-work and -evicted appended. Each replaces an earlier fact with the same key. The
 * lower bound is the least of the three loops, the upper bound the most, both widened by the errors. Old recordings have
 * empty calls alone: the bounds are then OVERHEAD_OLD_LEAST and OVERHEAD_OLD_MOST times their cost. With several ways
 * the bounds contain both, as no function's way is known.
 *
 * overhead-left-out: "400 calls, ...". overhead: "not known: ...". */
#define OVERHEAD_OLD_LEAST 0.5
#define OVERHEAD_OLD_MOST 1.5
bool overhead_is_of_way(const char *key); /* whether each fact with this key replaces the one before */
void overhead_add(struct overhead *overhead, const char *key, const char *text);

#endif
