/* histogram: durations in buckets of a 1/32 octave, so that a percentile is within 1.6 % of the true value (3 % is promised).
 * Exact below 64. Memory only for the octaves that occur: 256 bytes each. Zeroed: empty. */
#ifndef DWELL_HOST_MODEL_HISTOGRAM_H
#define DWELL_HOST_MODEL_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_STEPS 32u   /* buckets of an octave */
#define HISTOGRAM_OCTAVES 60u /* of 64-bit values; the first holds 0…31, the second 32…63, both exactly */

struct histogram {
	uint64_t count;
	uint64_t **octaves; /* null, or HISTOGRAM_OCTAVES pointers: null, or HISTOGRAM_STEPS counters */
};

/* Internal: room for the bucket; null when there is no memory. */
uint64_t *histogram_room(struct histogram *histogram, uint32_t octave);

/* False when there is no memory. */
static inline bool histogram_add(struct histogram *histogram, uint64_t value)
{
	/* No branch: in the first two octaves there is nothing to shift, and the first has no leading bit to leave away. */
	uint32_t shift = (63u ^ (uint32_t)__builtin_clzll(value | HISTOGRAM_STEPS)) - 5u;
	uint64_t steps = value >> shift, *counters;
	uint32_t octave = shift + (uint32_t)(steps / HISTOGRAM_STEPS), step = steps % HISTOGRAM_STEPS;

	counters = histogram->octaves ? histogram->octaves[octave] : 0;
	if (__builtin_expect(!counters, 0)) {
		counters = histogram_room(histogram, octave);
		if (!counters)
			return false;
	}
	counters[step]++;
	histogram->count++;
	return true;
}

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
