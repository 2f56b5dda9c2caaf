/* stream: unpacks a zstd frame that comes in pieces, each piece on arrival. For perf.data, whose packed records each have a
 * piece of one frame (perf record -z). Pure. */
#ifndef DWELL_HOST_PACK_STREAM_H
#define DWELL_HOST_PACK_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

#define STREAM_BYTES_MAX ((size_t)64 << 20) /* limit for unpacked bytes that were not taken */

/* Zero before the first use, clear after the last. */
struct stream_unpacker {
	void *zstd;
	uint8_t *data; /* [0, used): unpacked and not taken yet */
	size_t capacity, used;
};
/* Unpacks a piece and appends the result to data. Null, or an error message; then no more can
 * be unpacked. Data that is not taken may reach STREAM_BYTES_MAX; more is an error. */
const char *stream_unpack(struct stream_unpacker *unpacker, struct bytes piece);
/* Removes the first bytes of data. */
void stream_take(struct stream_unpacker *unpacker, size_t bytes);
/* Frees the memory; ready for another frame. */
void stream_unpacker_clear(struct stream_unpacker *unpacker);

#endif
