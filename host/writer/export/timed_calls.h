/* timed_calls: reads the rows of a table of single calls in order of entry (analysis/calls/timeline.h), for export formats that
 * draw calls over time. Each row is one call, one mark, or one interval of a thread off the CPU. */
#ifndef DWELL_HOST_WRITER_EXPORT_TIMED_CALLS_H
#define DWELL_HOST_WRITER_EXPORT_TIMED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"

/* Indexes of the table's columns. */
struct timed_calls {
	uint32_t index, pid, tid, process, thread, depth, function, begin, end, note, state;
};

/* One call. The strings are borrowed from the cells. */
struct timed_call {
	uint64_t index;      /* index of the call's thread, from 0 */
	uint64_t pid, tid;
	const char *process; /* null: unknown */
	const char *thread;  /* null: the thread has no name */
	uint64_t depth;
	const char *function;
	uint32_t id;         /* number of the function + 1, 0: not a function */
	int64_t begin_ns, end_ns; /* since the start of the recording */
	bool has_end;        /* false: a mark, or a call without a recorded exit: end_ns has no meaning */
	const char *note;    /* what is unusual about the call; "": nothing */
	const char *state;   /* not a call: the thread's state off the CPU, without function and depth; null: a call */
};

/* Finds the columns of a table. Returns false if one is missing, because it is a table of another kind. */
bool timed_calls_begin(struct timed_calls *timed_calls, const struct column *columns, uint32_t count);
/* Reads a row. */
struct timed_call timed_calls_get(const struct timed_calls *timed_calls, const struct cell *cells);

#endif
