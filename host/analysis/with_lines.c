/* with_lines: a table sink in front of another: inserts the columns of source lines, and passes on all other cells. */
#include "analysis/with_lines.h"

#include <stdlib.h>
#include <string.h>

struct with_lines {
	struct lines *lines;
	struct table_sink inner;
	struct column *columns; /* null: the table has no column of functions, or memory ran out, so the
	                           table passes through unchanged */
	struct cell *cells;
	uint32_t count; /* columns of the original table */
	uint32_t name;  /* index of the function's name for people */
};

static const struct column brief = {.key = "line", .title = "line", .unit = UNIT_TEXT, .text_only = true};
static const struct column whole = {.key = "line", .title = "line", .unit = UNIT_TEXT, .data_only = true};

static void free_columns(struct with_lines *with)
{
	free(with->columns);
	free(with->cells);
	with->columns = NULL;
	with->cells = NULL;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct with_lines *with = context;

	free_columns(with);
	with->count = count;
	with->name = count;
	for (uint32_t i = 0; i < count; i++)
		if (columns[i].unit == UNIT_NAME && !columns[i].data_only)
			with->name = i;
	if (with->name < count) {
		with->columns = malloc((count + (size_t)2) * sizeof *with->columns);
		with->cells = malloc((count + (size_t)2) * sizeof *with->cells);
	}
	if (!with->columns || !with->cells) {
		free_columns(with);
		with->inner.begin(with->inner.context, name, columns, count);
		return;
	}
	memcpy(with->columns, columns, with->name * sizeof *columns);
	with->columns[with->name] = brief;
	memcpy(with->columns + with->name + 1, columns + with->name, (count - with->name) * sizeof *columns);
	with->columns[count + 1] = whole;
	with->inner.begin(with->inner.context, name, with->columns, count + 2);
}

static void row(void *context, const struct cell *cells)
{
	struct with_lines *with = context;
	struct cell short_line = {.absent = true}, line = {.absent = true};

	if (!with->columns) {
		with->inner.row(with->inner.context, cells);
		return;
	}
	if (cells[with->name].function) {
		line.text = lines_get(with->lines, cells[with->name].function - 1);
		short_line.text = lines_get_short(with->lines, cells[with->name].function - 1);
		line.absent = short_line.absent = !line.text;
	}
	memcpy(with->cells, cells, with->name * sizeof *cells);
	with->cells[with->name] = short_line;
	memcpy(with->cells + with->name + 1, cells + with->name, (with->count - with->name) * sizeof *cells);
	with->cells[with->count + 1] = line;
	with->inner.row(with->inner.context, with->cells);
}

static void end(void *context)
{
	struct with_lines *with = context;

	with->inner.end(with->inner.context);
	free_columns(with);
}

struct table_sink make_lines_sink(struct lines *lines, const struct table_sink *inner)
{
	struct with_lines *with = lines ? calloc(1, sizeof *with) : NULL;

	if (!with)
		return *inner;
	*with = (struct with_lines){.lines = lines, .inner = *inner};
	return (struct table_sink){with, begin, row, end};
}

void free_lines_sink(struct table_sink *sink)
{
	if (sink->begin != begin)
		return;
	free_columns(sink->context);
	free(sink->context);
}
