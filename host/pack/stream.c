/* stream: unpacks a zstd frame piece by piece. */
#include "pack/stream.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "util/array.h"

const char *stream_unpack(struct stream_unpacker *unpacker, struct bytes piece)
{
	ZSTD_inBuffer in = {piece.data, piece.size, 0};
	bool more = true;

	if (!unpacker->zstd)
		unpacker->zstd = ZSTD_createDStream();
	if (!unpacker->zstd)
		return "cannot be unpacked: out of memory";
	while (in.pos < in.size || more) {
		ZSTD_outBuffer out;
		size_t status;

		if (unpacker->used >= STREAM_BYTES_MAX)
			return "unpacks to more than 64 MiB";
		if (!array_reserve(&unpacker->data, &unpacker->capacity, unpacker->used + ZSTD_DStreamOutSize(), 1))
			return "cannot be unpacked: out of memory";
		out = (ZSTD_outBuffer){unpacker->data, unpacker->capacity, unpacker->used};
		status = ZSTD_decompressStream(unpacker->zstd, &out, &in);
		if (ZSTD_isError(status))
			return "cannot be unpacked: it is damaged, or a piece before it is missing";
		more = out.pos == out.size; /* output may remain that did not fit */
		if (out.pos == unpacker->used && in.pos < in.size && !status)
			return "cannot be unpacked: something stands behind it";
		unpacker->used = out.pos;
	}
	return NULL;
}

void stream_take(struct stream_unpacker *unpacker, size_t bytes)
{
	unpacker->used -= bytes;
	memmove(unpacker->data, unpacker->data + bytes, unpacker->used);
}

void stream_unpacker_clear(struct stream_unpacker *unpacker)
{
	ZSTD_freeDStream(unpacker->zstd);
	free(unpacker->data);
	*unpacker = (struct stream_unpacker){0};
}
