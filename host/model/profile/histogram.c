/* histogram: counts durations in buckets, and finds percentiles. */
#include "model/profile/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes counters for the buckets [first, end), too; both are multiples of HISTOGRAM_STEPS. */
static bool reserve(struct histogram *histogram, uint32_t first, uint32_t end)
{
	uint32_t old_end = histogram->first + histogram->bucket_count;
	uint64_t *counters;

	if (histogram->bucket_count && first >= histogram->first && end <= old_end)
		return true;
	if (histogram->bucket_count && histogram->first < first)
		first = histogram->first;
	if (histogram->bucket_count && old_end > end)
		end = old_end;
	counters = calloc(end - first, sizeof *counters);
	if (!counters)
		return false;
	if (histogram->bucket_count)
		memcpy(counters + (histogram->first - first), histogram->counters, histogram->bucket_count * sizeof *counters);
	free(histogram->counters);
	histogram->counters = counters;
	histogram->first = first;
	histogram->bucket_count = end - first;
	return true;
}

bool histogram_add_bucket(struct histogram *histogram, uint32_t bucket, uint64_t count)
{
	uint32_t octave = bucket - bucket % HISTOGRAM_STEPS;

	if (!reserve(histogram, octave, octave + HISTOGRAM_STEPS))
		return false;
	histogram->counters[bucket - histogram->first] += count;
	histogram->count += count;
	return true;
}

bool histogram_add(struct histogram *histogram, uint64_t value)
{
	return histogram_add_bucket(histogram, dwell_duration_bucket(value), 1);
}

bool histogram_merge(struct histogram *into, const struct histogram *from)
{
	uint64_t *to;

	if (!from->count)
		return true;
	if (!reserve(into, from->first, from->first + from->bucket_count))
		return false;
	to = into->counters + (from->first - into->first);
	for (uint32_t i = 0; i < from->bucket_count; i++)
		to[i] += from->counters[i];
	into->count += from->count;
	return true;
}

/* In the first two octaves each bucket has one value. */
static struct histogram_bucket bucket_at(uint32_t bucket)
{
	uint32_t octave = bucket / HISTOGRAM_STEPS, step = bucket % HISTOGRAM_STEPS, shift = octave ? octave - 1 : 0;
	uint64_t low = octave ? (uint64_t)(HISTOGRAM_STEPS + step) << shift : step;

	return (struct histogram_bucket){.low = low, .high = low + (((uint64_t)1 << shift) - 1)};
}

bool histogram_next(const struct histogram *histogram, uint32_t *at, struct histogram_bucket *bucket)
{
	uint32_t i = *at > histogram->first ? *at - histogram->first : 0;

	while (i < histogram->bucket_count && !histogram->counters[i])
		i++;
	if (i >= histogram->bucket_count)
		return false;
	*bucket = bucket_at(histogram->first + i);
	bucket->count = histogram->counters[i];
	*at = histogram->first + i + 1;
	return true;
}

uint64_t histogram_percentile(const struct histogram *histogram, double q)
{
	double wanted = ceil(q * (double)histogram->count);
	uint64_t rank = wanted < 1 ? 1 : wanted >= (double)histogram->count ? histogram->count : (uint64_t)wanted, seen = 0;

	for (uint32_t i = 0; i < histogram->bucket_count; i++) {
		seen += histogram->counters[i];
		if (seen >= rank) {
			struct histogram_bucket bucket = bucket_at(histogram->first + i);

			return bucket.low + (bucket.high - bucket.low) / 2;
		}
	}
	return 0;
}

void histogram_empty(struct histogram *histogram)
{
	if (histogram->count)
		memset(histogram->counters, 0, histogram->bucket_count * sizeof *histogram->counters);
	histogram->count = 0;
}

void histogram_clear(struct histogram *histogram)
{
	free(histogram->counters);
	*histogram = (struct histogram){0};
}
