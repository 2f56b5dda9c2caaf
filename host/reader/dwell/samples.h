/* samples: decodes a SAMPLES chunk into paths and samples. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_SAMPLES_H
#define DWELL_HOST_READER_DWELL_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "pack/plain.h"
#include "reader/dwell/split.h"
#include "reader/message.h"

/* Zero before the first use, clear after the last. */
struct samples {
	struct message_node *nodes;
	struct message_sample *samples;
	size_t node_capacity, sample_capacity;
	uint32_t node_count, count;
	struct plain_unpacker unpacker;
};

/* Decodes a chunk. Null, or an error message. */
const char *samples_take(struct samples *samples, const struct raw_chunk *chunk);
/* The decoded samples, valid until the next samples_take. */
struct message_samples samples_get(const struct samples *samples, uint32_t stream);
void samples_clear(struct samples *samples);

#endif
