/* streams: the state that a reader keeps for each stream between its chunks, found by
 * the stream's number. The file chooses the numbers, of any value and in any number. */
#ifndef DWELL_HOST_READER_DWELL_STREAMS_H
#define DWELL_HOST_READER_DWELL_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/numbers.h"

struct stream {
	uint32_t number;
	bool seen;               /* its first checkpoint was in a message */
	bool has_gap;               /* events are missing before the next chunk */
	bool declared;           /* a survey found its THREAD */
	uint32_t next_sequence;  /* the sequence number that its next chunk of events should have */
	enum dwell_place_kind place_kind;
	/* The SWITCHES chunks needed to decode a chunk of events alone: the last run of SWITCHES
	 * chunks, and the chunk before the run. Positions in the index, counted from 1; 0: none. */
	uint32_t first_switches, last_switches;
	bool in_switches; /* no chunk of events followed the last SWITCHES yet */
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
