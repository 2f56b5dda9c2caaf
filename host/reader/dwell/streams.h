/* streams: what a reader keeps of each stream between its chunks, found by number. Numbers are the file's: any value, any many. */
#ifndef DWELL_HOST_READER_DWELL_STREAMS_H
#define DWELL_HOST_READER_DWELL_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/numbers.h"

struct stream {
	uint32_t number;
	bool seen;               /* events of it were delivered */
	bool lost;               /* events are missing in front of the next chunk */
	bool declared;           /* a survey met its THREAD */
	uint32_t next_sequence;
	enum dwell_place_kind place_kind;
	/* In the index, counted from 1; 0: none. What a chunk of events that is decoded alone needs: the last before the latest run of
	 * them, and that run. */
	uint32_t first_switches, last_switches;
	bool in_switches; /* no chunk of events came since the last */
};

/* Zero it before the first use. */
struct streams {
	struct numbers index; /* number → position in the list + 1 */
	struct stream *list;
	size_t count, capacity;
};

/* Makes one where there is none. Valid until the next call; null: no memory. */
struct stream *streams_find(struct streams *streams, uint32_t number);
void streams_clear(struct streams *streams);

#endif
