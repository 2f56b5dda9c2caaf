/* histogram: durations in the buckets of core/duration.h. Memory only for the octaves from the least to the greatest that occurs: 256 bytes
 * each. Zeroed: empty. */
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

/* False: in its octave there was none before, and it is not added. */
static inline bool histogram_add_usual(struct histogram *histogram, uint64_t value)
{
	uint32_t at = dwell_duration_bucket(value) - histogram->first;

	if (__builtin_expect(at >= histogram->bucket_count, 0))
		return false;
	histogram->counters[at]++;
	histogram->count++;
	return true;
}

/* False when there is no memory. */
bool histogram_add(struct histogram *histogram, uint64_t value);

/* Adds count values that are in a bucket of core/duration.h. False when there is no memory. pre: the bucket is one. */
bool histogram_add_bucket(struct histogram *histogram, uint32_t bucket, uint64_t count);

/* Adds all of from. False when there is no memory: then some of it may be missing. */
bool histogram_merge(struct histogram *into, const struct histogram *from);

/* The value below or at which the fraction q (0…1) of the values is, by nearest rank; 0 when empty. */
uint64_t histogram_percentile(const struct histogram *histogram, double q);

/* A bucket that holds values: all of them in [low, high]. Buckets never cross a power of two, nor (from 64 on) an eighth of one. */
struct histogram_bucket {
	uint64_t low, high, count;
};
/* The next bucket from *at on, which begins as 0; values rise. False: no more. */
bool histogram_next(const struct histogram *histogram, uint32_t *at, struct histogram_bucket *bucket);

/* Empties it, and keeps its memory. */
void histogram_empty(struct histogram *histogram);

/* Empties it and gives its memory back. */
void histogram_clear(struct histogram *histogram);

#endif
