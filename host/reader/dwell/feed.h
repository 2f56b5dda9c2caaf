/* feed: a source and a frame pump with the window between them. What the reader and `dump` both draw their chunks from. */
#ifndef DWELL_HOST_READER_DWELL_FEED_H
#define DWELL_HOST_READER_DWELL_FEED_H

#include <stdbool.h>

#include "io/source.h"
#include "reader/dwell/frame.h"

struct feed {
	struct source *source; /* borrowed */
	struct frame frame;
	uint8_t *buffer;
	size_t capacity, begin, end; /* the window is [begin, end) */
	size_t used;                 /* bytes of the item that was given last */
	bool at_end;                 /* of the source */
	bool no_memory;              /* the source goes on, but its next chunk does not fit */
};

/* The source stands behind the file header, at offset. */
void feed_init(struct feed *feed, struct source *source, uint64_t offset);
void feed_clear(struct feed *feed);

/* The next item (never FRAME_NEED); its payload is valid until the next call. */
enum frame_status feed_next(struct feed *feed, struct frame_item *item);

#endif
