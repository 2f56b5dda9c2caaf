/* load: reads and checks one chunk at an offset. For parts of the reader that do not read the file in order: the seek
 * table (survey.h, overview.h) and the decoders (index.h). */
#ifndef DWELL_HOST_READER_DWELL_LOAD_H
#define DWELL_HOST_READER_DWELL_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "reader/dwell/split.h"

/* Zero before the first use, clear after the last. */
struct load {
	struct raw_chunk chunk; /* its payload is valid until the next load */
	uint8_t *payload;
	size_t capacity;
};

/* Reads the header alone: load->chunk gets no payload. False: there is no valid header at offset. */
bool load_header(struct load *load, struct source *source, uint64_t offset);
/* Reads header and payload. False: invalid header, wrong CRC or no memory. If the
 * file cuts the payload, the payload is the part that is there, unchecked. */
bool load_chunk(struct load *load, struct source *source, uint64_t offset);
void load_clear(struct load *load);

#endif
