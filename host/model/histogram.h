/* histogram: durations in buckets of a 1/32 octave, so that a percentile is within 1.6 % of the true value (3 % is promised).
 * Exact below 64. Memory only for the octaves that occur: 256 bytes each. */
#ifndef DWELL_HOST_MODEL_HISTOGRAM_H
#define DWELL_HOST_MODEL_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct histogram {
	uint64_t count;
	uint64_t *octaves[60]; /* null or 32 counters (the first has 64) */
};

bool histogram_add(struct histogram *histogram, uint64_t value); /* false: no memory */
bool histogram_merge(struct histogram *into, const struct histogram *from);
/* The value below which the fraction q (0…1) of the values is, nearest rank; 0 when empty. */
uint64_t histogram_percentile(const struct histogram *histogram, double q);
void histogram_clear(struct histogram *histogram);

#endif
