/* merge: rows of several threads, chunk by chunk, in one order: by the time of entry, then as the threads' data begins in the file. For
 * listing.c. Rows of a thread are in order; of a chunk that is not there yet it is known from when on its calls were entered. */
#ifndef DWELL_HOST_QUERY_PARALLEL_MERGE_H
#define DWELL_HOST_QUERY_PARALLEL_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/parallel/crossings.h"
#include "query/parallel/row_maker.h"

struct merge;
/* All borrowed. Null when there is no memory. */
struct merge *make_merge(const struct reader *reader, const struct model *model, const struct crossings *crossings);
void free_merge(struct merge *merge);

/* Which of two chunks is needed first. */
int merge_compare(const struct crossings *crossings, uint32_t a, uint32_t b);
/* The rows of a chunk, whose turn it is by merge_compare; null: it has none. */
void merge_add(struct merge *merge, uint32_t chunk, struct chunk_rows *rows);

/* What comes next: rows of a chunk, or a call whose entry is missing; neither, when the next chunk has to be added first, or there is
 * nothing left. */
struct merge_run {
	struct chunk_rows *rows;
	size_t from, count;
	const struct call *orphan;
};
/* next: the chunk that is added next; CROSSINGS_NO_CHUNK: none. */
struct merge_run merge_take(struct merge *merge, uint32_t next);
/* Rows of which all is taken, and that are the caller's again, one by one; null: no more. Those of the last run stay until the next. */
struct chunk_rows *merge_get_used(struct merge *merge);
/* The others, when it is over. */
struct chunk_rows *merge_get_left(struct merge *merge);

#endif
