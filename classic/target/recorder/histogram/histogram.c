/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/histogram/histogram.h"

/* Unused entries of the table sort behind all segments. */
#define NOWHERE (~(uintptr_t)0)

void dwell_histogram_begin(struct histogram *histogram, struct histogram_segment *table, uintptr_t room)
{
	for (uintptr_t i = 0; i < room; i++)
		table[i] = (struct histogram_segment){.text = NOWHERE};
	histogram->segments = table;
	histogram->last = table;
	histogram->step = 0;
	histogram->count = 0;
	histogram->overflow = 0;
	histogram->beyond = 0;
	histogram->wanted = 0;
	histogram->state = 0;
	histogram->period = 0;
	histogram->taken = 0;
	histogram->self = (uintptr_t)histogram;
	histogram->what = HISTOGRAM_WHAT;
	histogram->magic = HISTOGRAM_MAGIC;
}

static void end_before(struct histogram_segment *segment, uintptr_t text)
{
	if (segment->bytes > text - segment->text)
		segment->bytes = text - segment->text;
}

void dwell_histogram_add(struct histogram *histogram, uintptr_t text, uintptr_t bytes, uint16_t *counters)
{
	struct histogram_segment *table = histogram->segments;
	uintptr_t at = histogram->count++;

	for (uintptr_t i = 0; i < bytes / HISTOGRAM_TEXT_BYTES; i++)
		counters[i] = 0;
	for (; at && table[at - 1].text > text; at--)
		table[at] = table[at - 1];
	table[at] = (struct histogram_segment){.text = text, .bytes = bytes, .counters = counters};
	if (at)
		end_before(&table[at - 1], text);
	if (at + 1 < histogram->count)
		end_before(&table[at], table[at + 1].text);
	while (histogram->step * 2 < histogram->count && histogram->count > 1)
		histogram->step += histogram->step ? histogram->step : 1;
	histogram->last = table;
}

void dwell_histogram_high(struct histogram *histogram, struct histogram_segment *segment, uintptr_t at, uint16_t was)
{
	volatile uint16_t *counter = &segment->counters[at];

	do {
		if (was == HISTOGRAM_COUNTER_MAX) {
			dwell_histogram_outside(&histogram->beyond);
			return;
		}
		if (was == HISTOGRAM_NEAR) {
			segment->wanted = 1;
			histogram->wanted = 1;
		}
	} while (!port_counter_raise(counter, was) && (was = *counter, true));
}

void dwell_histogram_take(struct histogram_segment *segment, uint32_t at, uint16_t count)
{
	volatile uint16_t *counter = &segment->counters[at];
	uint16_t was;

	do
		was = *counter;
	while (!port_counter_exchange(counter, was, (uint16_t)(was - count)));
}
