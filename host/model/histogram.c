#include "model/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t *room_of(struct histogram *histogram, uint32_t octave)
{
	if (!histogram->octaves)
		histogram->octaves = calloc(HISTOGRAM_OCTAVES, sizeof *histogram->octaves);
	if (!histogram->octaves)
		return NULL;
	if (!histogram->octaves[octave])
		histogram->octaves[octave] = calloc(HISTOGRAM_STEPS, sizeof **histogram->octaves);
	return histogram->octaves[octave];
}

bool histogram_add_bucket(struct histogram *histogram, uint32_t bucket, uint64_t count)
{
	uint64_t *counters = room_of(histogram, bucket / HISTOGRAM_STEPS);

	if (!counters)
		return false;
	counters[bucket % HISTOGRAM_STEPS] += count;
	histogram->count += count;
	return true;
}

bool histogram_add(struct histogram *histogram, uint64_t value)
{
	return histogram_add_bucket(histogram, dwell_duration_bucket(value), 1);
}

bool histogram_merge(struct histogram *into, const struct histogram *from)
{
	for (uint32_t octave = 0; from->octaves && octave < HISTOGRAM_OCTAVES; octave++) {
		uint64_t *counters;

		if (!from->octaves[octave])
			continue;
		counters = room_of(into, octave);
		if (!counters)
			return false;
		for (uint32_t step = 0; step < HISTOGRAM_STEPS; step++) {
			counters[step] += from->octaves[octave][step];
			into->count += from->octaves[octave][step];
		}
	}
	return true;
}

/* The first two octaves have buckets of one value. */
static struct histogram_bucket bucket_at(uint32_t octave, uint32_t step)
{
	uint32_t shift = octave ? octave - 1 : 0;
	uint64_t low = octave ? (uint64_t)(HISTOGRAM_STEPS + step) << shift : step;

	return (struct histogram_bucket){.low = low, .high = low + (((uint64_t)1 << shift) - 1)};
}

/* The middle of a bucket. */
static uint64_t bucket_value(uint32_t octave, uint32_t step)
{
	struct histogram_bucket bucket = bucket_at(octave, step);

	return bucket.low + (bucket.high - bucket.low) / 2;
}

bool histogram_next(const struct histogram *histogram, uint32_t *at, struct histogram_bucket *bucket)
{
	for (; histogram->octaves && *at < HISTOGRAM_OCTAVES * HISTOGRAM_STEPS; ++*at) {
		const uint64_t *counters = histogram->octaves[*at / HISTOGRAM_STEPS];

		if (!counters || !counters[*at % HISTOGRAM_STEPS])
			continue;
		*bucket = bucket_at(*at / HISTOGRAM_STEPS, *at % HISTOGRAM_STEPS);
		bucket->count = counters[*at % HISTOGRAM_STEPS];
		++*at;
		return true;
	}
	return false;
}

uint64_t histogram_percentile(const struct histogram *histogram, double q)
{
	double wanted = ceil(q * (double)histogram->count);
	uint64_t rank, seen = 0;

	if (!histogram->count)
		return 0;
	rank = wanted < 1 ? 1 : wanted >= (double)histogram->count ? histogram->count : (uint64_t)wanted;
	for (uint32_t octave = 0; octave < HISTOGRAM_OCTAVES; octave++)
		for (uint32_t step = 0; histogram->octaves[octave] && step < HISTOGRAM_STEPS; step++) {
			seen += histogram->octaves[octave][step];
			if (seen >= rank)
				return bucket_value(octave, step);
		}
	return 0;
}

void histogram_empty(struct histogram *histogram)
{
	for (uint32_t octave = 0; histogram->octaves && octave < HISTOGRAM_OCTAVES; octave++)
		if (histogram->octaves[octave])
			memset(histogram->octaves[octave], 0, HISTOGRAM_STEPS * sizeof **histogram->octaves);
	histogram->count = 0;
}

void histogram_clear(struct histogram *histogram)
{
	for (uint32_t octave = 0; histogram->octaves && octave < HISTOGRAM_OCTAVES; octave++)
		free(histogram->octaves[octave]);
	free(histogram->octaves);
	*histogram = (struct histogram){0};
}
