/* grid: stores a table (grid.h). */
#include "tui/grid.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/strings.h"

struct grid_inner {
	struct strings texts; /* stores each text once, because tables repeat names */
	uint32_t *shown; /* for each column of the grid: its index in the analysis's table */
	uint32_t shown_count, depth_index; /* depth_index: index of the UNIT_INDENT column in that table; UINT32_MAX: none */
	size_t cell_room, depth_room; /* capacity of cells and of depths */
};

struct grid *make_grid(void)
{
	struct grid *grid = calloc(1, sizeof *grid);

	if (grid && !(grid->inner = calloc(1, sizeof *grid->inner))) {
		free(grid);
		return NULL;
	}
	if (grid)
		grid->depth_column = UINT32_MAX;
	return grid;
}

/* Empties the grid, but keeps the memory for cells and depths. */
static void clear_table(struct grid *grid)
{
	struct grid_inner *inner = grid->inner;

	strings_clear(&inner->texts);
	free(grid->columns);
	free(inner->shown);
	grid->columns = NULL;
	inner->shown = NULL;
	grid->column_count = inner->shown_count = 0;
	grid->depth_column = inner->depth_index = UINT32_MAX;
	grid->row_count = 0;
	grid->left_out = 0;
	grid->is_short_of_memory = false;
}

void free_grid(struct grid *grid)
{
	if (!grid)
		return;
	clear_table(grid);
	free(grid->inner);
	free(grid->cells);
	free(grid->depths);
	free(grid);
}

/* Returns the grid's copy of the text, null if out of memory. */
static const char *keep_text(struct grid_inner *inner, const char *text)
{
	bool is_new;
	uint32_t number = strings_intern(&inner->texts, text, &is_new);

	return number == STRINGS_NONE ? NULL : inner->texts.texts[number];
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	struct grid *grid = context;
	struct grid_inner *inner = grid->inner;

	(void)name;
	clear_table(grid);
	grid->columns = calloc(column_count + (size_t)1, sizeof *grid->columns);
	inner->shown = calloc(column_count + (size_t)1, sizeof *inner->shown);
	if (!grid->columns || !inner->shown) {
		grid->is_short_of_memory = true;
		return;
	}
	for (uint32_t i = 0; i < column_count; i++) {
		struct column *column = &grid->columns[grid->column_count];

		if (columns[i].unit == UNIT_INDENT && !columns[i].data_only && !grid->is_flat) {
			grid->depth_column = inner->depth_index = i;
			continue;
		}
		if (columns[i].data_only)
			continue;
		*column = columns[i];
		if (grid->ticks && column->unit == UNIT_NS)
			column->unit = UNIT_TICKS;
		else if (grid->ticks && column->unit == UNIT_NS_SIGNED)
			column->unit = UNIT_TICKS_SIGNED;
		column->key = columns[i].key ? keep_text(inner, columns[i].key) : NULL;
		column->title = keep_text(inner, columns[i].title ? columns[i].title : columns[i].key ? columns[i].key : "");
		if (!column->title)
			column->title = "";
		inner->shown[inner->shown_count++] = i;
		grid->column_count++;
	}
}

static bool is_text(enum unit unit)
{
	return unit == UNIT_TEXT || unit == UNIT_NAME;
}

static void row(void *context, const struct cell *cells)
{
	struct grid *grid = context;
	struct grid_inner *inner = grid->inner;
	struct cell *kept;

	if (grid->row_count >= GRID_ROWS_MAX) {
		grid->left_out++;
		return;
	}
	if (!grid->column_count ||
		!array_reserve(&grid->cells, &inner->cell_room, (grid->row_count + 1) * grid->column_count, sizeof *grid->cells) ||
		!array_reserve(&grid->depths, &inner->depth_room, grid->row_count + 1, sizeof *grid->depths)) {
		grid->is_short_of_memory = true;
		return;
	}
	kept = grid->cells + grid->row_count * grid->column_count;
	for (uint32_t i = 0; i < grid->column_count; i++) {
		kept[i] = cells[inner->shown[i]];
		if (!is_text(grid->columns[i].unit) || kept[i].absent)
			continue;
		kept[i].text = keep_text(inner, kept[i].text);
		if (kept[i].text)
			continue;
		grid->is_short_of_memory = true;
		return;
	}
	grid->depths[grid->row_count] = 0;
	if (inner->depth_index != UINT32_MAX && !cells[inner->depth_index].absent)
		grid->depths[grid->row_count] = (uint32_t)cells[inner->depth_index].count;
	grid->row_count++;
}

static bool has_time(const struct grid *grid, uint32_t column)
{
	for (size_t i = 0; i < grid->row_count; i++)
		if (!grid_row(grid, i)[column].absent && grid_row(grid, i)[column].count)
			return true;
	return false;
}

/* Removes the optional columns in which no row has a time above 0. */
static void end(void *context)
{
	struct grid *grid = context;
	uint32_t *kept = grid->inner->shown, count = 0, had = grid->column_count; /* the sink's indexes are needed no longer */
	size_t to = 0;

	for (uint32_t i = 0; i < had; i++) {
		if (grid->columns[i].optional && !has_time(grid, i))
			continue;
		grid->columns[count] = grid->columns[i];
		kept[count++] = i;
	}
	for (size_t row = 0; count < had && row < grid->row_count; row++)
		for (uint32_t i = 0; i < count; i++)
			grid->cells[to++] = grid->cells[row * had + kept[i]];
	grid->column_count = count;
}

struct table_sink grid_get_sink(struct grid *grid)
{
	return (struct table_sink){.context = grid, .begin = begin, .row = row, .end = end};
}
