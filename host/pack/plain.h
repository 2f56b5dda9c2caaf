/* plain: bytes ↔ one frame of zstd. For chunks that are no slots. */
#ifndef DWELL_HOST_PACK_PLAIN_H
#define DWELL_HOST_PACK_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

/* Packs into memory of its own: a frame, then zeros up to a multiple of 8. To be freed; null: no memory, or it would not get smaller. */
uint8_t *make_plain_packed(struct bytes plain, size_t *packed_bytes);

/* Zero it before the first use, clear it after the last. */
struct plain_unpacker {
	uint8_t *data;
	size_t capacity;
};
/* Null, and *plain is unpacked bytes, valid until the next time; or what is wrong. Any bytes may be given; unpacked is at most
 * DWELL_CHUNK_LENGTH_MAX, or it is damage. */
const char *plain_unpack(struct plain_unpacker *unpacker, struct bytes packed, uint32_t unpacked, struct bytes *plain);
void plain_unpacker_clear(struct plain_unpacker *unpacker);

#endif
