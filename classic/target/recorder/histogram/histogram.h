/* SPDX-License-Identifier: MIT
 *
 * The recorder of histograms (classic/core/histogram.h): the code of the
 * sampling interrupt, and what other code may do with the counters meanwhile.
 *
 *     sum of all counters + counts taken away + overflow + beyond = interrupts
 *
 * This holds at any instruction of other code, except for the interrupt that is just being counted. */
#ifndef DWELL_CLASSIC_RECORDER_HISTOGRAM_H
#define DWELL_CLASSIC_RECORDER_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/core/histogram.h"
#include "counter.h" /* of the machine: port/ultra/…/ */

/* Makes an empty histogram: every sample is outside. table: room for this many segments, a power of two.
 * Context: no sampling interrupt comes. */
void dwell_histogram_begin(struct histogram *histogram, struct histogram_segment *table, uintptr_t room);

/* Adds a segment and sets its counters to 0. pre: there is room; text and bytes are multiples of 4, counters is aligned
 * to 4 bytes. Of two overlapping segments, the lower one ends at the start of the upper one. Context: as above. */
void dwell_histogram_add(struct histogram *histogram, uintptr_t text, uintptr_t bytes, uint16_t *counters);

/* Returns the number of counters of a segment. */
static inline uint32_t dwell_histogram_counters(const struct histogram_segment *segment)
{
	return (uint32_t)(segment->bytes / HISTOGRAM_TEXT_BYTES);
}

/* Subtracts count from a counter. pre: the counter holds that much; only one thread takes. Context:
 * any but the interrupt; never blocks; 12 instructions on Cortex-M3, and again after an interrupt. */
void dwell_histogram_take(struct histogram_segment *segment, uint32_t at, uint16_t count);

/* The rare half of counting: the counter at index at had the value was, HISTOGRAM_NEAR or more. */
void dwell_histogram_high(struct histogram *histogram, struct histogram_segment *segment, uintptr_t at, uint16_t was);

static inline void dwell_histogram_outside(volatile uintptr_t *word)
{
	uintptr_t was = *word;

	if (was != UINT32_MAX)
		port_word_raise(word, was);
}

/* Counts one interrupt, which found the program at pc.
 * Context: the sampling interrupt; never blocks. It tries the last segment first, and then a binary search. */
static inline void dwell_histogram_sample(struct histogram *histogram, uintptr_t pc)
{
	struct histogram_segment *segment = histogram->last;
	uintptr_t offset = pc - segment->text;
	volatile uint16_t *counter;
	uint16_t was;

	if (offset >= segment->bytes) {
		segment = histogram->segments;
		for (uintptr_t step = histogram->step; step; step >>= 1)
			if (segment[step].text <= pc)
				segment += step;
		offset = pc - segment->text;
		if (offset >= segment->bytes) {
			dwell_histogram_outside(&histogram->overflow);
			return;
		}
		histogram->last = segment;
	}
	counter = &segment->counters[offset / HISTOGRAM_TEXT_BYTES];
	do {
		was = *counter;
		if (was & HISTOGRAM_NEAR) {
			dwell_histogram_high(histogram, segment, offset / HISTOGRAM_TEXT_BYTES, was);
			return;
		}
	} while (!port_counter_raise(counter, was));
}

#endif
