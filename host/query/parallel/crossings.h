/* crossings: what a chunk of a trace cannot know of its calls by itself, from several threads that read the trace.
 *
 * A chunk's checkpoint says which calls are open where it begins, so each chunk can be modelled for itself; but for how the calls end that
 * are open where it ends, and what those that were open before, or whose entry is missing, took. These are kept: at most the stack's depth
 * for each chunk. A second pass has all it needs then to decode any chunk at any time, on any thread (listing.h). */
#ifndef DWELL_HOST_QUERY_PARALLEL_CROSSINGS_H
#define DWELL_HOST_QUERY_PARALLEL_CROSSINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/part.h"
#include "query/parallel/part_calls.h"

#define CROSSINGS_MAX (1u << 20)
/* A chunk is decoded with those before it that it depends on: so many at most. */
#define CROSSINGS_RUN_MAX 8u
#define CROSSINGS_NO_CHUNK UINT32_MAX

struct crossings;
/* Null when there is no memory. */
struct crossings *make_crossings(void);
void free_crossings(struct crossings *crossings);

/* Takes a call: for on_call, its context is a struct part_calls. */
call_fn crossings_take;
/* The part_calls of what is modelled without parts. */
struct part_calls *crossings_get_part_calls(struct crossings *crossings);

/* A chunk of events. */
struct crossings_chunk {
	uint32_t previous;   /* of its stream */
	bool is_selected;    /* else it is of a thread that nobody asked for, and the rest does not matter */
	bool is_first;       /* of its stream */
	bool is_again;       /* its checkpoint does not tell all: it has to be read behind the previous one */
	bool off_unknown;    /* whether it is known when the thread was off the CPU, if it is not the first */
	uint64_t from_ticks; /* no call of it was entered before */
	uint32_t run;        /* chunks from one that is not again up to this one */
	uint32_t stream_first; /* chunk of its stream */
	size_t first;        /* internal: of what ended in it; up to where the next chunk's begin */
};
/* In the order of the file: calls that are kept from now on ended in it. run, stream_first and first are filled in. */
void crossings_add_chunk(struct crossings *crossings, const struct crossings_chunk *chunk);
void crossings_keep(struct crossings *crossings, struct part_calls *part_calls);
/* There is no memory, or too much depends on other chunks: it cannot be used. */
bool crossings_have_failed(const struct crossings *crossings);
/* map: the new ids of functions that calls which were kept so far have, count of them. */
void crossings_renumber(struct crossings *crossings, const uint32_t *map, size_t count);
/* All chunks are over; what is kept from now on was open at the end of the data. */
void crossings_end(struct crossings *crossings);
/* Nothing more is kept. False: no memory. */
bool crossings_finish(struct crossings *crossings);

uint32_t crossings_chunk_count(const struct crossings *crossings);
const struct crossings_chunk *crossings_get_chunk(const struct crossings *crossings, uint32_t chunk);
/* Those that ended in the chunk, in that order; in number crossings_chunk_count: those that were open at the end. */
const struct part_call *crossings_get_ends(const struct crossings *crossings, uint32_t chunk, size_t *count);
/* What became of a call that is open where the chunk ends: by when it was entered, and how deep. Null: nobody knows. */
const struct part_call *crossings_find(const struct crossings *crossings, const struct call *open, uint32_t chunk);

#endif
