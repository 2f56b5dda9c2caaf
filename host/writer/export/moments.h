/* moments: reads the table of single calls in order of entry (analysis/calls/timeline.h), for formats that draw calls over time. */
#ifndef DWELL_HOST_WRITER_EXPORT_MOMENTS_H
#define DWELL_HOST_WRITER_EXPORT_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"

/* Indexes of the table's columns. */
struct moments {
	uint32_t index, pid, tid, process, thread, depth, function, begin, end, note;
};

/* One call. The strings are borrowed from the cells. */
struct moment {
	uint64_t index;      /* index of its thread, from 0 */
	uint64_t pid, tid;
	const char *process; /* null: unknown */
	const char *thread;  /* null: the thread has no name */
	uint64_t depth;
	const char *function;
	uint32_t id;         /* number of the function + 1, 0: not a function */
	int64_t begin_ns, end_ns;
	bool has_end;
	const char *note;
};

/* Returns false if columns are missing: it is another table. */
bool moments_begin(struct moments *moments, const struct column *columns, uint32_t count);
struct moment moments_get(const struct moments *moments, const struct cell *cells);

#endif
