/* plain: compresses bytes to one zstd frame, and back. For the payloads of all chunks but SLOTS (pack.h). */
#ifndef DWELL_HOST_PACK_PLAIN_H
#define DWELL_HOST_PACK_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

/* Zero before the first use, clear after the last. */
struct plain_packer {
	void *zstd; /* ZSTD_CCtx */
};
/* Returns a frame, then zeros up to a multiple of 8; the caller frees it. Null: no memory, or the result would not be smaller. */
uint8_t *make_plain_packed(struct plain_packer *packer, struct bytes plain, size_t *packed_bytes);
void plain_packer_clear(struct plain_packer *packer);

/* Zero before the first use, clear after the last. */
struct plain_unpacker {
	void *zstd;    /* ZSTD_DCtx */
	uint8_t *data; /* the last result */
	size_t capacity;
};
/* Unpacks a frame. Null: *plain is the result, valid until the next call. Else an error message. Any bytes
 * are safe; unpacked must be at most DWELL_CHUNK_LENGTH_MAX, else the chunk counts as damaged. */
const char *plain_unpack(struct plain_unpacker *unpacker, struct bytes packed, uint32_t unpacked, struct bytes *plain);
void plain_unpacker_clear(struct plain_unpacker *unpacker);

#endif
