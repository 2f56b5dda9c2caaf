/* histogram: numbers of durations by bucket (core/duration.h), for percentiles and the table of durations. Has memory only for the
 * octaves from the smallest value to the largest, 256 bytes each. Zeroed: empty. */
#ifndef DWELL_HOST_MODEL_PROFILE_HISTOGRAM_H
#define DWELL_HOST_MODEL_PROFILE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/duration.h"

#define HISTOGRAM_STEPS DWELL_DURATION_STEPS
#define HISTOGRAM_OCTAVES DWELL_DURATION_OCTAVES

struct histogram {
	uint64_t count;
	uint64_t *counters;           /* of the buckets [first, first + bucket_count) */
	uint32_t first, bucket_count; /* multiples of HISTOGRAM_STEPS */
};

/* The fast path of histogram_add. False: the value's octave has no counters yet, and the value is not added. */
static inline bool histogram_add_fast(struct histogram *histogram, uint64_t value)
{
	uint32_t at = dwell_duration_bucket(value) - histogram->first;

	if (__builtin_expect(at >= histogram->bucket_count, 0))
		return false;
	histogram->counters[at]++;
	histogram->count++;
	return true;
}

/* False: no memory. */
bool histogram_add(struct histogram *histogram, uint64_t value);

/* Adds count values of one bucket. pre: bucket < DWELL_DURATION_BUCKETS. False: no memory. */
bool histogram_add_bucket(struct histogram *histogram, uint32_t bucket, uint64_t count);

/* Adds all of from. False: no memory: some values may be missing. */
bool histogram_merge(struct histogram *into, const struct histogram *from);

/* The q-quantile (q in 0…1) by nearest rank, as the middle of the value's bucket. 0 when empty. */
uint64_t histogram_percentile(const struct histogram *histogram, double q);

/* A bucket with count values, all in [low, high]. No bucket crosses a power of two, nor (from 64 on) the border of an eighth of an
 * octave. */
struct histogram_bucket {
	uint64_t low, high, count;
};
/* The next bucket with values, in rising order. *at: 0 at first. False: no more. */
bool histogram_next(const struct histogram *histogram, uint32_t *at, struct histogram_bucket *bucket);

/* Empties the histogram, but keeps its memory. */
void histogram_empty(struct histogram *histogram);

/* Empties the histogram, and frees its memory. */
void histogram_clear(struct histogram *histogram);

#endif
