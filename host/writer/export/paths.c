/* paths: reads a table of paths (paths.h). */
#include "writer/export/paths.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define NO_COLUMN UINT32_MAX

static uint32_t find_column(const struct column *columns, uint32_t count, const char *key)
{
	for (uint32_t i = 0; i < count; i++)
		if (!columns[i].text_only && !columns[i].empty && !strcmp(columns[i].key, key))
			return i;
	return NO_COLUMN;
}

static uint32_t find_either(const struct column *columns, uint32_t count, const char *key, const char *other)
{
	uint32_t column = find_column(columns, count, key);

	return column == NO_COLUMN ? find_column(columns, count, other) : column;
}

bool paths_begin(struct paths *paths, const struct column *columns, uint32_t count)
{
	paths->depth_column = find_column(columns, count, "depth");
	paths->name_column = find_column(columns, count, "function");
	paths->file_column = find_column(columns, count, "file");
	paths->address_column = find_column(columns, count, "address");
	paths->line_column = find_column(columns, count, "line");
	paths->calls_column = find_column(columns, count, "calls");
	paths->total_column = find_either(columns, count, "total_ns", "total");
	paths->self_column = find_either(columns, count, "self_ns", "self");
	paths->total_cpu_column = find_column(columns, count, "total_cpu_ns");
	paths->self_cpu_column = find_column(columns, count, "self_cpu_ns");
	if (paths->depth_column == NO_COLUMN || paths->name_column == NO_COLUMN || paths->total_column == NO_COLUMN ||
		paths->self_column == NO_COLUMN)
		return false;
	paths->is_ns = columns[paths->self_column].unit == UNIT_NS;
	paths->has_calls = paths->calls_column != NO_COLUMN && find_column(columns, count, "self_ns") != NO_COLUMN;
	paths->has_cpu = paths->total_cpu_column != NO_COLUMN && paths->self_cpu_column != NO_COLUMN;
	return true;
}

/* Sets the function's source and line from a text such as "/home/me/app.c:12". Returns false if out of memory. */
static bool set_source(struct paths *paths, struct paths_function *function, const char *text)
{
	const char *colon = strrchr(text, ':');
	char *file = strndup(text, colon ? (size_t)(colon - text) : strlen(text));
	bool is_new;

	if (!file)
		return false;
	function->source = strings_intern(&paths->strings, file, &is_new);
	function->line = colon ? strtoul(colon + 1, NULL, 10) : 0;
	free(file);
	return function->source != STRINGS_NONE;
}

static const struct cell *known_cell(const struct cell *cells, uint32_t column)
{
	return column == NO_COLUMN || cells[column].absent ? NULL : &cells[column];
}

/* Adds a new function; returns the index. STRINGS_NONE: out of memory. */
static uint32_t add_function(struct paths *paths, const char *name, const struct cell *cells)
{
	struct paths_function function = {.file = STRINGS_NONE, .source = STRINGS_NONE};
	const struct cell *file = cells ? known_cell(cells, paths->file_column) : NULL;
	const struct cell *address = cells ? known_cell(cells, paths->address_column) : NULL;
	const struct cell *line = cells ? known_cell(cells, paths->line_column) : NULL;
	bool is_new;

	if (!array_reserve(&paths->functions, &paths->capacity, paths->count + 1, sizeof *paths->functions))
		return STRINGS_NONE;
	function.name = strings_intern(&paths->strings, name, &is_new);
	if (file)
		function.file = strings_intern(&paths->strings, file->text, &is_new);
	if (function.name == STRINGS_NONE || (file && function.file == STRINGS_NONE))
		return STRINGS_NONE;
	if (line && !set_source(paths, &function, line->text))
		return STRINGS_NONE;
	function.has_address = address;
	function.address = address ? address->count : 0;
	paths->functions[paths->count] = function;
	return (uint32_t)paths->count++;
}

/* Returns the index of the row's function, added if it is new. STRINGS_NONE: out of memory. */
static uint32_t find_function(struct paths *paths, const struct cell *cells)
{
	const struct cell *name = &cells[paths->name_column];
	const char *text = name->absent ? "?" : name->text;
	size_t had = paths->id_count;

	if (!name->function) /* not a function of the profile: a row of its own */
		return add_function(paths, text, cells);
	if (name->function >= had) {
		if (!array_reserve(&paths->by_id, &paths->id_count, (size_t)name->function + 1, sizeof *paths->by_id))
			return STRINGS_NONE;
		memset(paths->by_id + had, 0, (paths->id_count - had) * sizeof *paths->by_id);
	}
	if (!paths->by_id[name->function]) {
		uint32_t index = add_function(paths, text, cells);

		if (index == STRINGS_NONE)
			return STRINGS_NONE;
		paths->by_id[name->function] = index + 1;
	}
	return paths->by_id[name->function] - 1;
}

static uint64_t count_of(const struct cell *cells, uint32_t column)
{
	const struct cell *cell = known_cell(cells, column);

	return cell ? cell->count : 0;
}

bool paths_take(struct paths *paths, const struct cell *cells, struct paths_row *row)
{
	uint64_t depth = cells[paths->depth_column].count;

	*row = (struct paths_row){.function = find_function(paths, cells), .caller = STRINGS_NONE};
	if (depth > paths->depth) /* the table skipped a level, about which nothing is known */
		depth = paths->depth;
	if (row->function == STRINGS_NONE || !array_reserve(&paths->path, &paths->path_capacity, depth + 1, sizeof *paths->path))
		return false;
	paths->path[depth] = row->function;
	paths->depth = depth + 1;
	if (depth)
		row->caller = paths->path[depth - 1];
	row->calls = count_of(cells, paths->calls_column);
	row->total = count_of(cells, paths->total_column);
	row->self = count_of(cells, paths->self_column);
	row->total_cpu = count_of(cells, paths->total_cpu_column);
	row->self_cpu = count_of(cells, paths->self_cpu_column);
	return true;
}

const uint32_t *paths_get_limited(struct paths *paths, size_t *count)
{
	if (paths->depth <= PATHS_DEPTH_MAX + 1) {
		*count = paths->depth;
		return paths->path;
	}
	if (!paths->gap) {
		uint32_t index = add_function(paths, PATHS_GAP, NULL);

		if (index == STRINGS_NONE)
			return NULL;
		paths->gap = index + 1;
	}
	memcpy(paths->limited, paths->path, PATHS_DEPTH_MAX * sizeof *paths->limited);
	paths->limited[PATHS_DEPTH_MAX] = paths->gap - 1;
	paths->limited[PATHS_DEPTH_MAX + 1] = paths->path[paths->depth - 1];
	*count = PATHS_DEPTH_MAX + 2;
	return paths->limited;
}

void paths_clear(struct paths *paths)
{
	strings_clear(&paths->strings);
	free(paths->functions);
	free(paths->by_id);
	free(paths->path);
	*paths = (struct paths){0};
}
