/* gunzip: reads a source into memory, unpacked. */
#include "reader/gunzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "util/array.h"

#define PIECE_BYTES 65536u
#define GZIP_WINDOW (15 + 16)

static bool is_packed(const uint8_t *data, size_t size)
{
	return size > 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/* Unpacks stream's input and appends the output to result. False: damage, a limit, or no memory; end has the reason.
 * True at the end of a member, too. */
static bool add(struct gunzip *result, size_t *capacity, z_stream *stream, uint64_t limit)
{
	int status;

	do {
		if (!array_reserve(&result->data, capacity, result->size + PIECE_BYTES, 1)) {
			result->end = GUNZIP_STARVED;
			return false;
		}
		stream->next_out = result->data + result->size;
		stream->avail_out = PIECE_BYTES;
		status = inflate(stream, Z_NO_FLUSH);
		result->size += PIECE_BYTES - stream->avail_out;
		result->end = status == Z_STREAM_END ? GUNZIP_WHOLE : GUNZIP_CUT; /* CUT, until the rest comes */
		if (result->size > limit)
			result->end = GUNZIP_TOO_LARGE;
		else if (result->size > GUNZIP_DENSE_BYTES && result->size / GUNZIP_RATIO_MAX > result->source_bytes)
			result->end = GUNZIP_TOO_DENSE;
		else if (status == Z_STREAM_END && stream->avail_in) /* a file may be several gzip members in a row */
			status = inflateReset(stream);
		if (result->end > GUNZIP_CUT)
			return false;
	} while (status == Z_OK && (stream->avail_in || !stream->avail_out));
	return status == Z_OK || status == Z_BUF_ERROR || status == Z_STREAM_END;
}

/* Appends bytes that are not packed. */
static bool add_plain(struct gunzip *result, size_t *capacity, const uint8_t *piece, size_t size, uint64_t limit)
{
	if (!array_reserve(&result->data, capacity, result->size + size, 1))
		result->end = GUNZIP_STARVED;
	else if (result->size + size > limit)
		result->end = GUNZIP_TOO_LARGE;
	else
		memcpy(result->data + result->size, piece, size);
	result->size += size;
	return result->end == GUNZIP_WHOLE;
}

struct gunzip gunzip_source(struct source *source, uint64_t limit)
{
	struct gunzip result = {0};
	uint8_t piece[PIECE_BYTES];
	z_stream stream = {0};
	size_t capacity = 0, got;
	bool packed = is_packed(piece, source_peek(source, piece, 4)), more = true;

	if (packed && inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return (struct gunzip){.end = GUNZIP_STARVED};
	while (more && (got = source_read(source, piece, sizeof piece))) {
		result.source_bytes += got;
		stream.next_in = piece;
		stream.avail_in = (uInt)got;
		more = packed ? add(&result, &capacity, &stream, limit) : add_plain(&result, &capacity, piece, got, limit);
	}
	if (packed)
		inflateEnd(&stream);
	return result;
}

size_t gunzip_start(struct bytes start, uint8_t *to, size_t size)
{
	z_stream stream = {.next_in = (uint8_t *)start.data, .avail_in = (uInt)start.size, .next_out = to, .avail_out = (uInt)size};

	if (!is_packed(start.data, start.size)) {
		size = start.size < size ? start.size : size;
		memcpy(to, start.data, size);
		return size;
	}
	if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return 0;
	inflate(&stream, Z_SYNC_FLUSH);
	inflateEnd(&stream);
	return size - stream.avail_out;
}
