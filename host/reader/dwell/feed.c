/* feed: reads chunks from a source. The window grows with the bytes actually read, never by the promise of a length field. */
#include <stdlib.h>
#include <string.h>

#include "reader/dwell/feed.h"

#define READ_BYTES (1u << 20)
#define READ_BYTES_LEAST 4096u

void feed_init(struct feed *feed, struct source *source, uint64_t offset)
{
	*feed = (struct feed){.source = source};
	split_init(&feed->split, offset);
}

void feed_clear(struct feed *feed)
{
	free(feed->buffer);
	*feed = (struct feed){0};
}

/* Returns how many bytes to read at a time: a small file has a small window. */
static size_t piece_bytes(const struct source *source)
{
	uint64_t bytes = source_size(source);

	return bytes >= READ_BYTES ? READ_BYTES : bytes > READ_BYTES_LEAST ? (size_t)bytes : READ_BYTES_LEAST;
}

/* Reads more bytes into the window. False: the source has no more, or there is no memory. */
static bool fill(struct feed *feed, size_t need)
{
	size_t have = feed->end - feed->begin, piece = piece_bytes(feed->source), want = need > piece ? need : piece, got;

	if (want > 2 * have && want > piece)
		want = 2 * have > piece ? 2 * have : piece;
	if (want > feed->capacity) {
		uint8_t *buffer = malloc(want);
		if (!buffer) {
			feed->no_memory = true;
			return false;
		}
		if (have)
			memcpy(buffer, feed->buffer + feed->begin, have);
		free(feed->buffer);
		feed->buffer = buffer;
		feed->capacity = want;
	} else if (have) {
		memmove(feed->buffer, feed->buffer + feed->begin, have);
	}
	feed->begin = 0;
	feed->end = have;
	got = source_read(feed->source, feed->buffer + have, feed->capacity - have);
	feed->end += got;
	return got > 0;
}

enum split_status feed_next(struct feed *feed, struct split_item *item)
{
	enum split_status status;

	feed->begin += feed->used;
	feed->used = 0;
	for (;;) {
		struct bytes window = {feed->buffer ? feed->buffer + feed->begin : NULL, feed->end - feed->begin};
		status = split_next(&feed->split, window, feed->at_end, item);
		if (status != SPLIT_NEED)
			break;
		if (!fill(feed, item->need))
			feed->at_end = true;
	}
	feed->used = (size_t)item->bytes;
	return status;
}
