/* names: decodes a NAMES chunk into the names of a file's functions. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_NAMES_H
#define DWELL_HOST_READER_DWELL_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "pack/plain.h"
#include "reader/dwell/split.h"
#include "reader/message.h"

/* Zero before the first use, clear after the last. */
struct names_chunk {
	struct plain_unpacker unpacker;
	struct message_name *names; /* point into text */
	size_t capacity;
	uint8_t *text; /* the payload, with a zero behind it */
	size_t text_capacity;
	struct message_names message;
};

/* Decodes a chunk. Null: names->message is valid until the next call. Else an error message. */
const char *names_chunk_take(struct names_chunk *names, const struct raw_chunk *chunk);
void names_chunk_clear(struct names_chunk *names);

#endif
