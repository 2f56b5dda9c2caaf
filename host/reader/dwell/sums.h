/* sums: a SUMS chunk → the calls in it. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_SUMS_H
#define DWELL_HOST_READER_DWELL_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "dwell/format.h"
#include "pack/plain.h"
#include "reader/dwell/frame.h"
#include "reader/message.h"

/* Zero it before the first use, clear it after the last. */
struct sums {
	struct message_sums message; /* of the chunk that was taken last */
	struct message_sum_node *nodes;
	struct message_sum_function *functions;
	struct message_sum_bucket *buckets;
	struct message_sum_frame *frames;
	size_t node_capacity, function_capacity, bucket_capacity, frame_capacity;
	struct plain_unpacker unpacker;
};

/* Of the fixed part of a payload that is not packed. */
static inline uint32_t sums_head_bytes(const uint8_t *payload)
{
	return get_u32(payload + DWELL_SUMS_FLAGS) & DWELL_SUMS_HAS_HELD ? DWELL_SUMS_LONG_HEAD_BYTES : DWELL_SUMS_HEAD_BYTES;
}

/* Null, or what is wrong with it. What adds up to more than can be is for who adds it up. */
const char *sums_take(struct sums *sums, const struct frame_chunk *chunk);
void sums_clear(struct sums *sums);

#endif
