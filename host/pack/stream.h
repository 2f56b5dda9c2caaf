/* stream: one frame of zstd that comes in pieces, each of which can be unpacked as soon as it is there. Pure. */
#ifndef DWELL_HOST_PACK_STREAM_H
#define DWELL_HOST_PACK_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

#define STREAM_BYTES_MAX ((size_t)64 << 20)

/* Zero it before the first use, clear it after the last. */
struct stream_unpacker {
	void *zstd;
	uint8_t *data; /* [0, used): unpacked, and not taken yet */
	size_t capacity, used;
};
/* Adds what the piece unpacks to. Null, or what is wrong: then nothing more can be unpacked. What is not taken may become
 * STREAM_BYTES_MAX, else it is damage. */
const char *stream_unpack(struct stream_unpacker *unpacker, struct bytes piece);
/* The first so many bytes of data are done with. */
void stream_take(struct stream_unpacker *unpacker, size_t bytes);
/* As it was before the first piece. */
void stream_unpacker_clear(struct stream_unpacker *unpacker);

#endif
