/* paths: reads a table of paths in preorder, for export formats: numbers the functions, and gives the functions on each path. */
#ifndef DWELL_HOST_WRITER_EXPORT_PATHS_H
#define DWELL_HOST_WRITER_EXPORT_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"
#include "util/strings.h"

/* A format that repeats the whole path for every node would grow with the square of a recursion's depth. A deeper path has the
 * outermost PATHS_DEPTH_MAX functions, one with the name PATHS_GAP, and the innermost function. */
#define PATHS_DEPTH_MAX 1000u
#define PATHS_GAP "[...]"

struct paths_function {
	uint32_t name, file; /* indexes in strings; file: the program or library, STRINGS_NONE: unknown */
	uint32_t source;     /* where the function starts: the source file's index in strings, STRINGS_NONE: unknown … */
	uint64_t line;       /* … and the line */
	uint64_t address;    /* link-time */
	bool has_address;
};

/* One row. Values missing in the table are 0. */
struct paths_row {
	uint32_t function, caller; /* indexes of functions; caller STRINGS_NONE: outermost */
	uint64_t calls, total, self, total_cpu, self_cpu;
};

/* Zeroed: empty. */
struct paths {
	uint32_t depth_column, name_column, file_column, address_column, line_column;
	uint32_t calls_column, total_column, self_column, total_cpu_column, self_cpu_column;
	bool has_calls, has_cpu;
	bool is_ns; /* total and self are in nanoseconds */
	struct strings strings;
	struct paths_function *functions;
	size_t count, capacity;
	uint32_t *by_id; /* index + 1, by the function number of the cells */
	size_t id_count;
	uint32_t gap;    /* index + 1 of the PATHS_GAP function, 0: not added yet */
	uint32_t *path;  /* functions of the last row's path, outermost first */
	size_t path_capacity, depth;
	uint32_t limited[PATHS_DEPTH_MAX + 2]; /* the shortened path that paths_get_limited returns */
};

/* Returns false if the table has no paths, or no weights. */
bool paths_begin(struct paths *paths, const struct column *columns, uint32_t count);
/* Reads the next row of the table: adds its function if it is new, and makes it the last one of the path. Returns false if out of
 * memory. */
bool paths_take(struct paths *paths, const struct cell *cells, struct paths_row *row);
/* Returns the functions on the last row's path, outermost first, at most PATHS_DEPTH_MAX + 2. Null: out of memory. */
const uint32_t *paths_get_limited(struct paths *paths, size_t *count);
void paths_clear(struct paths *paths);

#endif
