/* sums: decodes a SUMS chunk. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_SUMS_H
#define DWELL_HOST_READER_DWELL_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "dwell/format.h"
#include "pack/plain.h"
#include "reader/dwell/split.h"
#include "reader/message.h"

/* Zero before the first use, clear after the last. */
struct sums {
	struct message_sums message; /* of the last chunk that was decoded */
	struct message_sum_node *nodes; /* this and the next three are the message's arrays */
	struct message_sum_function *functions;
	struct message_sum_bucket *buckets;
	struct message_sum_frame *frames;
	size_t node_capacity, function_capacity, bucket_capacity, frame_capacity;
	struct plain_unpacker unpacker;
};

/* Bytes of the fixed part of a payload, unpacked. */
static inline uint32_t sums_head_bytes(const uint8_t *payload)
{
	return get_u32(payload + DWELL_SUMS_FLAGS) & DWELL_SUMS_HAS_HELD ? DWELL_SUMS_LONG_HEAD_BYTES : DWELL_SUMS_HEAD_BYTES;
}

/* Decodes a chunk. Null, or an error message. The caller checks for overflow when it adds the figures up. */
const char *sums_take(struct sums *sums, const struct raw_chunk *chunk);
void sums_clear(struct sums *sums);

#endif
