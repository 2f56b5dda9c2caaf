/* SPDX-License-Identifier: MIT
 *
 * The recorder of histograms (core/histogram.h): what the sampling interrupt does, and what others may do with the counters meanwhile.
 *
 *     sum of all counters + what was taken away + overflow + beyond = interrupts
 *
 * at any instruction of anybody, but for the interrupt that is being counted. */
#ifndef DWELL_RECORDER_HISTOGRAM_H
#define DWELL_RECORDER_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/histogram.h"
#include "counter.h" /* of the machine: port/ultra/…/ */

/* An empty one: whatever is sampled is outside. table: room for so many segments, a power of two.
 * Context: no sampling interrupt comes. */
void dwell_histogram_begin(struct histogram *histogram, struct histogram_segment *table, uintptr_t room);

/* Another segment, and its counters, which become 0. pre: there is room; text and bytes are multiples of 4, counters of 4 bytes.
 * What an earlier one begins with is taken from the one that reaches into it. Context: as above. */
void dwell_histogram_add(struct histogram *histogram, uintptr_t text, uintptr_t bytes, uint16_t *counters);

/* How many counters a segment has. */
static inline uint32_t dwell_histogram_counters(const struct histogram_segment *segment)
{
	return (uint32_t)(segment->bytes / HISTOGRAM_TEXT_BYTES);
}

/* Takes count from a counter. pre: it holds that much; nobody else takes. Context: any but the interrupt; never blocks; 12 instructions
 * on Cortex-M3, and again when it was interrupted. */
void dwell_histogram_take(struct histogram_segment *segment, uint32_t at, uint16_t count);

/* The uncommon half of counting: the counter at index at was that much, HISTOGRAM_NEAR or more. */
void dwell_histogram_high(struct histogram *histogram, struct histogram_segment *segment, uintptr_t at, uint16_t was);

static inline void dwell_histogram_outside(volatile uintptr_t *word)
{
	uintptr_t was = *word;

	if (was != UINT32_MAX)
		port_word_raise(word, was);
}

/* One interrupt, which found the program at pc.
 * Context: the sampling interrupt; never blocks. The last segment is tried first; else one round for each time that the segments can be
 * halved. */
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
