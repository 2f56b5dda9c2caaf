#include "query/read/read_rows.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define ROWS_AT_ONCE 2048u

static enum dwell_value value_of(enum unit unit)
{
	switch (unit) {
	case UNIT_TEXT:
		return DWELL_VALUE_TEXT;
	case UNIT_NAME:
		return DWELL_VALUE_NAME;
	case UNIT_NS:
	case UNIT_TICKS:
		return DWELL_VALUE_NS;
	case UNIT_NS_SIGNED:
	case UNIT_TICKS_SIGNED:
		return DWELL_VALUE_MOMENT_NS;
	case UNIT_PERCENT:
	case UNIT_PERCENT_CHANGE:
	case UNIT_POINTS:
	case UNIT_POINTS_UNSIGNED:
		return DWELL_VALUE_PERCENT;
	case UNIT_MEAN:
	case UNIT_NS_MEAN:
	case UNIT_BAR:
		return DWELL_VALUE_REAL;
	case UNIT_ADDRESS:
		return DWELL_VALUE_ADDRESS;
	case UNIT_BYTES:
		return DWELL_VALUE_BYTES;
	case UNIT_INDENT:
		return DWELL_VALUE_DEPTH;
	default:
		return DWELL_VALUE_COUNT;
	}
}

static bool is_text(enum dwell_value value)
{
	return value == DWELL_VALUE_TEXT || value == DWELL_VALUE_NAME;
}

/* Passes the rows collected so far to the user's function, and empties them. */
static void pass_rows(struct read_rows *rows)
{
	struct dwell_rows some = {rows->columns, rows->column_count, rows->cells, rows->row_count};

	/* Adding a text may move all texts. So a text cell had only the offset of its text, which now becomes a pointer. */
	for (size_t i = 0; i < rows->row_count * rows->column_count; i++) {
		struct dwell_cell *cell = &rows->cells[i];

		if (is_text(rows->columns[i % rows->column_count].unit))
			cell->value.text = cell->flags & DWELL_CELL_ABSENT ? NULL : rows->texts + cell->value.count;
	}
	if (!rows->is_done && !rows->take(rows->context, &some))
		rows->is_done = true;
	rows->row_count = 0;
	rows->text_bytes = 0;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	struct read_rows *rows = context;

	(void)name;
	rows->columns = calloc(column_count, sizeof *rows->columns);
	rows->sources = calloc(column_count, sizeof *rows->sources);
	rows->has_starved = !rows->columns || !rows->sources ||
			    !array_reserve(&rows->cells, &rows->cell_capacity, column_count, sizeof *rows->cells);
	for (uint32_t i = 0; !rows->has_starved && i < column_count; i++) {
		if (columns[i].text_only)
			continue;
		rows->columns[rows->column_count] = (struct dwell_column){.key = columns[i].key,
			.title = columns[i].title ? columns[i].title : columns[i].key,
			.unit = value_of(columns[i].unit)};
		rows->columns[rows->column_count].is_ticks =
			rows->is_ticks && (columns[i].unit == UNIT_NS || columns[i].unit == UNIT_NS_SIGNED);
		rows->sources[rows->column_count++] = i;
	}
	if (!rows->has_starved)
		pass_rows(rows); /* the columns, without rows */
}

static bool put_text(struct read_rows *rows, const char *text, struct dwell_cell *cell)
{
	size_t bytes = strlen(text) + 1;

	if (!array_reserve(&rows->texts, &rows->text_capacity, rows->text_bytes + bytes, 1))
		return false;
	memcpy(rows->texts + rows->text_bytes, text, bytes);
	cell->value.count = rows->text_bytes;
	rows->text_bytes += bytes;
	return true;
}

static void put(struct read_rows *rows, const struct cell *from, size_t column)
{
	struct dwell_cell *cell = &rows->cells[rows->row_count * rows->column_count + column];
	enum dwell_value value = rows->columns[column].unit;

	*cell = (struct dwell_cell){.flags = from->unsure ? DWELL_CELL_UNSURE : 0};
	if (from->absent || (is_text(value) && !from->text))
		cell->flags |= DWELL_CELL_ABSENT;
	else if (is_text(value))
		rows->has_starved |= !put_text(rows, from->text, cell);
	else if (value == DWELL_VALUE_MOMENT_NS)
		cell->value.integer = from->signed_count;
	else if (value == DWELL_VALUE_PERCENT || value == DWELL_VALUE_REAL)
		cell->value.real = from->real;
	else
		cell->value.count = from->count;
}

static void row(void *context, const struct cell *cells)
{
	struct read_rows *rows = context;

	if (rows->has_starved || rows->is_done)
		return;
	if (!array_reserve(
		    &rows->cells, &rows->cell_capacity, (rows->row_count + 1) * rows->column_count, sizeof *rows->cells)) {
		rows->has_starved = true;
		return;
	}
	for (size_t i = 0; i < rows->column_count; i++)
		put(rows, &cells[rows->sources[i]], i);
	if (!rows->has_starved && ++rows->row_count == ROWS_AT_ONCE)
		pass_rows(rows);
}

static void end(void *context)
{
	struct read_rows *rows = context;

	if (!rows->has_starved && rows->row_count)
		pass_rows(rows);
}

struct table_sink read_rows_get_sink(struct read_rows *rows)
{
	return (struct table_sink){rows, begin, row, end, &rows->is_done};
}

void read_rows_clear(struct read_rows *rows)
{
	free(rows->columns);
	free(rows->sources);
	free(rows->cells);
	free(rows->texts);
}
