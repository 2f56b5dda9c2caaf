/* counts: decodes a COUNTS chunk. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_COUNTS_H
#define DWELL_HOST_READER_DWELL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "pack/plain.h"
#include "reader/dwell/split.h"
#include "reader/message.h"

/* Zero before the first use, clear after the last. */
struct counts {
	struct message_counts message; /* of the last chunk that was decoded */
	struct message_count *list; /* message.counts */
	size_t capacity;
	struct plain_unpacker unpacker;
};

/* Decodes a chunk into counts->message. Null, or an error message. */
const char *counts_take(struct counts *counts, const struct raw_chunk *chunk);
void counts_clear(struct counts *counts);

#endif
