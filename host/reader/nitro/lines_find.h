/* lines find: the line buffers in an image of memory. */
#ifndef DWELL_HOST_READER_NITRO_LINES_FIND_H
#define DWELL_HOST_READER_NITRO_LINES_FIND_H

#include "reader/memory.h"
#include "reader/nitro/lines_area.h"
#include "util/diag.h"

struct lines_areas {
	struct lines_area *list; /* in the order of the file; none lies in another one */
	size_t count, capacity;
	uint64_t cut;       /* were found, and some of their lines are not in the image */
	uint64_t elsewhere; /* say that they lay at another address: copies, or of raw bytes that are not of one piece */
	uint64_t damaged;   /* lie where they say, and contradict themselves */
	uint64_t newer;     /* are of a version that is not known */
	bool no_memory;
};

/* Zeroes it first. Raw bytes are placed by the first one that is found. */
void lines_find(struct lines_areas *areas, struct memory *memory);
/* Of what was left out, where something was found: why. And of statistics that were not ready. */
void lines_areas_warn(const struct lines_areas *areas, const char *name, struct diag *diag);
void lines_areas_clear(struct lines_areas *areas);

#endif
