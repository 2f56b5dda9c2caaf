#include "reader/gunzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "util/array.h"

#define PIECE_BYTES 65536u
#define GZIP_WINDOW (15 + 16)

static bool is_packed(const uint8_t *data, size_t size)
{
	return size > 2 && data[0] == 0x1f && data[1] == 0x8b;
}

static bool make_room(struct gunzip *result, size_t *capacity)
{
	if (array_reserve(&result->data, capacity, result->size + PIECE_BYTES, 1))
		return true;
	result->end = GUNZIP_STARVED;
	return false;
}

static void read_plain(struct gunzip *result, struct source *source, uint64_t limit)
{
	size_t capacity = 0, got;

	do {
		if (!make_room(result, &capacity))
			return;
		got = source_read(source, result->data + result->size, PIECE_BYTES);
		result->size += got;
	} while (got && result->size <= limit);
	result->source_bytes = result->size;
	result->end = got ? GUNZIP_TOO_LARGE : GUNZIP_WHOLE;
}

static bool is_too_much(struct gunzip *result, uint64_t limit)
{
	if (result->size > limit)
		result->end = GUNZIP_TOO_LARGE;
	else if (result->size > GUNZIP_DENSE_BYTES && result->size / GUNZIP_RATIO_MAX > result->source_bytes)
		result->end = GUNZIP_TOO_DENSE;
	else
		return false;
	return true;
}

/* All that one piece of the source unpacks to. False: nothing more comes. */
static bool unpack(struct gunzip *result, size_t *capacity, z_stream *stream, uint64_t limit)
{
	int status;

	do {
		if (!make_room(result, capacity))
			return false;
		stream->next_out = result->data + result->size;
		stream->avail_out = PIECE_BYTES;
		status = inflate(stream, Z_NO_FLUSH);
		result->size += PIECE_BYTES - stream->avail_out;
		if (status == Z_STREAM_END && stream->avail_in) /* files may be put one behind the other */
			status = inflateReset(stream);
		if (is_too_much(result, limit))
			return false;
		if (status != Z_OK && status != Z_BUF_ERROR) {
			result->end = status == Z_STREAM_END ? GUNZIP_WHOLE : GUNZIP_CUT;
			return status == Z_STREAM_END;
		}
	} while (stream->avail_in || !stream->avail_out);
	result->end = GUNZIP_CUT; /* unless the rest comes */
	return true;
}

static void read_packed(struct gunzip *result, struct source *source, uint64_t limit)
{
	z_stream stream = {0};
	size_t capacity = 0;
	uint8_t *piece = malloc(PIECE_BYTES);

	result->end = GUNZIP_STARVED;
	if (!piece || inflateInit2(&stream, GZIP_WINDOW) != Z_OK) {
		free(piece);
		return;
	}
	do {
		size_t got = source_read(source, piece, PIECE_BYTES);

		if (!got)
			break;
		result->source_bytes += got;
		stream.next_in = piece;
		stream.avail_in = (uInt)got;
	} while (unpack(result, &capacity, &stream, limit));
	inflateEnd(&stream);
	free(piece);
}

struct gunzip gunzip_source(struct source *source, uint64_t limit)
{
	struct gunzip result = {0};
	uint8_t start[4];

	if (is_packed(start, source_peek(source, start, sizeof start)))
		read_packed(&result, source, limit);
	else
		read_plain(&result, source, limit);
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
