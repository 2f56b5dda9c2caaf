/* load: one chunk at an offset, checked. For those who do not read in order. */
#ifndef DWELL_HOST_READER_DWELL_LOAD_H
#define DWELL_HOST_READER_DWELL_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "reader/dwell/frame.h"

/* Zero it before the first use, clear it after the last. */
struct load {
	struct frame_chunk chunk; /* its payload is valid until the next load */
	uint8_t *payload;
	size_t capacity;
};

/* The header alone: the chunk has no payload then. False: no right header stands there. */
bool load_header(struct load *load, struct source *source, uint64_t offset);
/* Header and payload. A payload that the file cuts is there as far as it goes; else its CRC is right. */
bool load_chunk(struct load *load, struct source *source, uint64_t offset);
void load_clear(struct load *load);

#endif
