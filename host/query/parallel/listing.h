/* listing: all calls of a trace, or many of them, as a table: decoded and written by several threads.
 *
 * It is the second of two passes; the first one is parallel.h's, with crossings. A chunk needs no other one then: each is decoded and its
 * rows are made by some thread, and the caller puts the rows in order: by exit, that of the file; by entry, all threads' chunks merged by
 * time. Memory: rows of a few chunks, and by entry of one or two for each thread that is running at the time. */
#ifndef DWELL_HOST_QUERY_PARALLEL_LISTING_H
#define DWELL_HOST_QUERY_PARALLEL_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calls/call_filter.h"
#include "analysis/calls/calls.h"
#include "analysis/table.h"
#include "model/model.h"
#include "query/parallel/crossings.h"
#include "reader/reader.h"
#include "util/diag.h"
#include "util/progress.h"

/* All borrowed. */
struct listing {
	const struct reader *reader;  /* as parallel_read left it */
	const struct model *model;    /* likewise */
	const struct crossings *crossings;
	const struct call_filter *filter; /* its own pattern is the caller's thread's */
	const char *function;         /* what the pattern is of; null: any */
	bool by_exit;                 /* else by entry */
	bool wants_values;            /* by entry only */
	uint32_t workers;
	struct calls *calls;          /* the table, which has begun */
	struct table_sink *writer;    /* which it is written by, at once; null: by none of writer/writer.h */
	struct progress *progress;    /* of bytes */
	struct diag *diag;
	const char *path;             /* for messages */
};

/* Writes all rows that are wanted. What goes wrong is a diag. */
void listing_write(const struct listing *listing);

#endif
