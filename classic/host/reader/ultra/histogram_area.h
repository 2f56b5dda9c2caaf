/* histogram area: finds and parses control areas of histograms (classic/core/histogram.h) of any machine, with their segments,
 * in an image of memory. The parser checks that an area is consistent, and that the image contains every byte of it. */
#ifndef DWELL_CLASSIC_HOST_READER_ULTRA_HISTOGRAM_AREA_H
#define DWELL_CLASSIC_HOST_READER_ULTRA_HISTOGRAM_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/host/reader/memory.h"
#include "reader/message.h"
#include "reader/words.h"

/* No program has more segments; dwell's own limit is 64. */
#define HISTOGRAM_SEGMENTS_MAX 4096u

struct histogram_extent {
	uint64_t text, bytes; /* of code; a multiple of 4 */
	uint64_t counters;    /* address of the first counter */
};

struct histogram_area {
	uint64_t address, offset; /* address of the control area; offset in the file */
	uint64_t table;           /* address of the segments */
	struct words words;
	uint32_t count;
	struct histogram_extent *segments; /* sorted by text */
	uint64_t overflow, beyond, period_us;
	bool is_running, is_fixed;
};

struct histogram_areas {
	struct histogram_area *list; /* in the order of the image */
	size_t count, capacity;
	uint64_t cut;       /* areas whose segments or counters are not all in the image */
	/* Areas whose SELF is not the address at which the image has them: copies of an area, or raw bytes that come from several
	 * pieces of memory. */
	uint64_t elsewhere;
	bool no_memory;
};

/* Zeroes areas first. If the image is raw bytes without addresses (memory.h), the SELF of the first complete area gives all bytes
 * their addresses. If memory runs out, stops with no_memory set. */
void histogram_find(struct histogram_areas *areas, struct memory *memory);
void histogram_areas_clear(struct histogram_areas *areas);

static inline uint64_t histogram_counter_bytes(const struct histogram_extent *segment)
{
	return segment->bytes / 4 * 2;
}

/* The counters of segments that are not 0. The caller zeroes the struct before the first use, and frees the list. */
struct histogram_counts {
	struct message_count *list;
	size_t count, capacity;
	uint32_t full; /* number of counters that are HISTOGRAM_COUNTER_MAX */
};
/* Appends the counters of a segment that are not 0, with the addresses of the code; adds the number of full counters to
 * counts->full. False: no memory, or the image has changed. */
bool histogram_read_counts(struct histogram_counts *counts, const struct memory *memory, const struct words *words,
	const struct histogram_extent *segment);

#endif
