/* histogram area: the control area of histograms (core/histogram.h) and its segments in an image of memory, of any machine. Checked: what
 * it says holds together, and the image has every byte of it. */
#ifndef DWELL_HOST_READER_ULTRA_HISTOGRAM_AREA_H
#define DWELL_HOST_READER_ULTRA_HISTOGRAM_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/memory.h"
#include "reader/message.h"
#include "reader/words.h"

/* More segments are no program's: ours has 64. */
#define HISTOGRAM_SEGMENTS_MAX 4096u

struct histogram_extent {
	uint64_t text, bytes; /* of code; a multiple of 4 */
	uint64_t counters;    /* address of the first */
};

struct histogram_area {
	uint64_t address, offset; /* of the control area; in the file */
	uint64_t table;           /* address of the segments */
	struct words words;
	uint32_t count;
	struct histogram_extent *segments; /* in order of their text */
	uint64_t overflow, beyond, period_us;
	bool is_running, is_fixed;
};

struct histogram_areas {
	struct histogram_area *list; /* in the order of the image */
	size_t count, capacity;
	uint64_t cut;       /* were found, and some of their counters are not in the image */
	uint64_t elsewhere; /* say that they lay at another address: copies, or of raw bytes that are not of one piece */
	bool no_memory;
};

/* Zeroes it first. Raw bytes are placed by the first one that is found. */
void histogram_find(struct histogram_areas *areas, struct memory *memory);
void histogram_areas_clear(struct histogram_areas *areas);

static inline uint64_t histogram_counter_bytes(const struct histogram_extent *segment)
{
	return segment->bytes / 4 * 2;
}

/* The counters of a segment that are not 0, behind those that are in the list; *full grows by those at their end. False: no memory, or the
 * image has changed. */
struct histogram_counts {
	struct message_count *list;
	size_t count, capacity;
	uint32_t full;
};
bool histogram_read_counts(
	struct histogram_counts *counts, const struct memory *memory, const struct words *words, const struct histogram_extent *segment);

#endif
