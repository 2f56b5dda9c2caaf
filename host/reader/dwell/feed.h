/* feed: reads chunks from a source, one after the other: fills a window with the source's bytes, and splits the window
 * into chunks (split.h). For the reader and for `dump`. */
#ifndef DWELL_HOST_READER_DWELL_FEED_H
#define DWELL_HOST_READER_DWELL_FEED_H

#include <stdbool.h>

#include "io/source.h"
#include "reader/dwell/split.h"

struct feed {
	struct source *source; /* borrowed */
	struct split split;
	uint8_t *buffer;
	size_t capacity, begin, end; /* the window is [begin, end) of the buffer */
	size_t used;                 /* bytes of the last item, at the front of the window: dropped by the next feed_next */
	bool at_end;                 /* the source has ended */
	bool no_memory;              /* memory ran out for a chunk: reading ended there, as if the source had ended */
};

/* pre: the source is just behind the file header, at offset. */
void feed_init(struct feed *feed, struct source *source, uint64_t offset);
void feed_clear(struct feed *feed);

/* Returns the next item (never SPLIT_NEED); its payload is valid until the next call. */
enum split_status feed_next(struct feed *feed, struct split_item *item);

#endif
