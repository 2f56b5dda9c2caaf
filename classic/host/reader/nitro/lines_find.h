/* lines find: finds the line buffers in an image of memory. */
#ifndef DWELL_CLASSIC_HOST_READER_NITRO_LINES_FIND_H
#define DWELL_CLASSIC_HOST_READER_NITRO_LINES_FIND_H

#include "classic/host/reader/memory.h"
#include "classic/host/reader/nitro/lines_area.h"
#include "util/diag.h"

struct lines_areas {
	struct lines_area *list; /* sorted by address; no area begins in the lines of the area before */
	size_t count, capacity;
	uint64_t cut;       /* buffers whose lines are not all in the image */
	uint64_t elsewhere; /* buffers that do not lie where BEGIN puts them: copies, or raw bytes that are not of one piece */
	uint64_t damaged;   /* buffers that lie where BEGIN puts them, with inconsistent control words */
	uint64_t newer;     /* buffers of an unknown version */
	bool no_memory;
};

/* Zeroes areas first. The first buffer that is found sets the address of raw bytes. */
void lines_find(struct lines_areas *areas, struct memory *memory);
/* Reports why buffers were left out, and which statistics were incomplete. */
void lines_areas_warn(const struct lines_areas *areas, const char *name, struct diag *diag);
void lines_areas_clear(struct lines_areas *areas);

#endif
