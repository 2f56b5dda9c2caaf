/* counts: a COUNTS chunk → the counts in it. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_COUNTS_H
#define DWELL_HOST_READER_DWELL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "pack/plain.h"
#include "reader/dwell/frame.h"
#include "reader/message.h"

/* Zero it before the first use, clear it after the last. */
struct counts {
	struct message_counts message; /* of the chunk that was taken last */
	struct message_count *list;
	size_t capacity;
	struct plain_unpacker unpacker;
};

/* Null, or what is wrong with it. */
const char *counts_take(struct counts *counts, const struct frame_chunk *chunk);
void counts_clear(struct counts *counts);

#endif
