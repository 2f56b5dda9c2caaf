/* press: the calls of one chunk of a trace, decoded for a second time, as rows. For listing.c: one for each thread. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PRESS_H
#define DWELL_HOST_QUERY_PARALLEL_PRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/calls.h"
#include "query/parallel/listing.h"
#include "util/output.h"

/* The rows of a chunk. Zeroed: empty. They are calls, or bytes if the press writes. */
struct sheet {
	struct output_memory bytes;
	size_t *ends;         /* of each row, in the bytes */
	size_t end_capacity;
	uint64_t *ticks;      /* of each row: when the call was entered */
	size_t tick_capacity;
	struct call *calls;
	size_t call_capacity;
	struct call_values *values; /* of the calls, where they are wanted */
	size_t value_capacity;
	size_t count;
	bool is_written; /* bytes */
	bool is_missing; /* the chunk cannot be read a second time */
	bool is_starved; /* there was no memory for all of it */
	uint64_t mismatches; /* calls that ended otherwise in the first pass */
	struct sheet *next;  /* whoever has it may use this */
};

void sheet_clear(struct sheet *sheet);

struct press;
/* listing is borrowed. Null when there is no memory. */
struct press *make_press(const struct listing *listing);
void free_press(struct press *press);
/* From now on it writes rows, as the listing's calls would. Once. False: no memory. */
bool press_begin_writing(struct press *press);
/* Fills the sheet, whatever was in it. */
void press_chunk(struct press *press, uint32_t chunk, struct sheet *sheet);

#endif
