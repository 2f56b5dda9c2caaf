/* paths: a table of paths in preorder, as formats of other tools need it: functions by number, and for each path the functions on it. */
#ifndef DWELL_HOST_WRITER_EXPORT_PATHS_H
#define DWELL_HOST_WRITER_EXPORT_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"
#include "util/strings.h"

/* Formats that repeat a path for each that is below it would be as large as the square of a deep recursion: of a deeper path they get the
 * outermost so many functions, one that is called PATHS_GAP, and the function that it ends in. */
#define PATHS_DEPTH_MAX 1000u
#define PATHS_GAP "[...]"

struct paths_function {
	uint32_t name, file; /* in strings; file STRINGS_NONE: not known, as below */
	uint32_t source;     /* where it begins: file … */
	uint64_t line;       /* … and line */
	uint64_t address;    /* link-time */
	bool has_address;
};

/* One row. What a table does not have is 0. */
struct paths_row {
	uint32_t function, caller; /* index of each; caller STRINGS_NONE: outermost */
	uint64_t calls, total, self, total_cpu, self_cpu;
};

/* Zeroed: empty. */
struct paths {
	uint32_t depth_column, name_column, file_column, address_column, line_column;
	uint32_t calls_column, total_column, self_column, total_cpu_column, self_cpu_column;
	bool has_calls, has_cpu;
	bool is_ns; /* the unit of total and self */
	struct strings strings;
	struct paths_function *functions;
	size_t count, capacity;
	uint32_t *by_id; /* index + 1, by what cells call it */
	size_t id_count;
	uint32_t gap;    /* index + 1 of that, 0: there is none yet */
	uint32_t *path;  /* of the last row, outermost first */
	size_t path_capacity, depth;
	uint32_t limited[PATHS_DEPTH_MAX + 2];
};

/* False: the table has no paths, or no weights. */
bool paths_begin(struct paths *paths, const struct column *columns, uint32_t count);
/* False: no memory. */
bool paths_take(struct paths *paths, const struct cell *cells, struct paths_row *row);
/* The functions of the last row's path, outermost first, at most PATHS_DEPTH_MAX + 2. Null: no memory. */
const uint32_t *paths_get_limited(struct paths *paths, size_t *count);
void paths_clear(struct paths *paths);

#endif
