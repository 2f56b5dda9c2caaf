/* streams: the state that a reader keeps for each stream between its chunks, found by
 * the stream's number. The file chooses the numbers, of any value and in any number. */
#ifndef DWELL_HOST_READER_DWELL_STREAMS_H
#define DWELL_HOST_READER_DWELL_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/numbers.h"

/* Kinds of chunks needed beside the events of a stream: SWITCHES and FAULTS. */
enum stream_aside_kind { STREAM_SWITCHES, STREAM_FAULTS, STREAM_ASIDES };

/* The chunks of one kind needed to decode a chunk of events alone: the last run without events in between,
 * and the chunk before the run. Positions in the index, counted from 1; 0: none. */
struct stream_aside {
	uint32_t first, last;
	bool is_open; /* no chunk of events followed the last one yet */
};

struct stream {
	uint32_t number;
	bool seen;               /* its first checkpoint was in a message */
	bool has_gap;               /* events are missing before the next chunk */
	bool declared;           /* a survey found its THREAD */
	uint32_t next_sequence;  /* the sequence number that its next chunk of events should have */
	enum dwell_place_kind place_kind;
	struct stream_aside asides[STREAM_ASIDES];
};

/* Zero before the first use. */
struct streams {
	struct numbers index; /* number → position in the list + 1 */
	struct stream *list;
	size_t count, capacity;
};

/* Finds a stream, or adds it. Valid until the next call; null: no memory. */
struct stream *streams_find(struct streams *streams, uint32_t number);
void streams_clear(struct streams *streams);

#endif
