/* moments: the table of single calls in order of entry (analysis/timeline.h), as formats that draw it need it. */
#ifndef DWELL_HOST_WRITER_EXPORT_MOMENTS_H
#define DWELL_HOST_WRITER_EXPORT_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"

/* Where its columns are. */
struct moments {
	uint32_t index, pid, tid, process, thread, depth, function, begin, end, note;
};

/* One call. Borrowed as the cells are. */
struct moment {
	uint64_t index;      /* of its thread, from 0 */
	uint64_t pid, tid;
	const char *process; /* null: not known */
	const char *thread;  /* null: it has no name */
	uint64_t depth;
	const char *function;
	uint32_t id;         /* of the function + 1, 0: it is none */
	int64_t begin_ns, end_ns;
	bool has_end;
	const char *note;
};

/* False: it is another table. */
bool moments_begin(struct moments *moments, const struct column *columns, uint32_t count);
struct moment moments_get(const struct moments *moments, const struct cell *cells);

#endif
