/* samples: a SAMPLES chunk → the paths and the samples in it. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_SAMPLES_H
#define DWELL_HOST_READER_DWELL_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "pack/plain.h"
#include "reader/dwell/frame.h"
#include "reader/message.h"

/* Zero it before the first use, clear it after the last. */
struct samples {
	struct message_node *nodes;
	struct message_sample *samples;
	size_t node_capacity, sample_capacity;
	uint32_t node_count, count;
	struct plain_unpacker unpacker;
};

/* Null, or what is wrong with it. pre: the payload, unpacked, has DWELL_SAMPLES_HEAD_BYTES if it is not packed. */
const char *samples_take(struct samples *samples, const struct frame_chunk *chunk);
/* Valid until the next time. */
struct message_samples samples_get(const struct samples *samples, uint32_t stream);
void samples_clear(struct samples *samples);

#endif
