/* row_maker: the calls of one chunk of a trace, decoded for a second time, as rows. For listing.c: one for each thread. */
#ifndef DWELL_HOST_QUERY_PARALLEL_ROW_MAKER_H
#define DWELL_HOST_QUERY_PARALLEL_ROW_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/calls.h"
#include "query/parallel/listing.h"
#include "util/output.h"

/* The rows of a chunk. Zeroed: empty. They are calls, or bytes if the row_maker writes. */
struct chunk_rows {
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
	struct chunk_rows *next;  /* whoever has it may use this */
};

void chunk_rows_clear(struct chunk_rows *rows);

struct row_maker;
/* listing is borrowed. Null when there is no memory. */
struct row_maker *make_row_maker(const struct listing *listing);
void free_row_maker(struct row_maker *maker);
/* From now on it writes rows, as the listing's calls would. Once. False: no memory. */
bool row_maker_begin_writing(struct row_maker *maker);
/* Fills the rows, whatever they were. */
void row_maker_read_chunk(struct row_maker *maker, uint32_t chunk, struct chunk_rows *rows);

#endif
