#include "tui/grid.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define BLOCK_BYTES 65536u

/* Texts: each is kept once, as tables say the same names again and again. */
struct block {
	struct block *before;
	size_t used, room;
	char bytes[];
};

struct grid_inner {
	struct block *blocks;
	const char **texts; /* by hash; a power of two, null: free */
	size_t text_count, text_room;
	uint32_t *shown; /* which of the table's columns */
	uint32_t shown_count, depth_index;
	size_t cell_room, depth_room;
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

static void forget(struct grid *grid)
{
	struct grid_inner *inner = grid->inner;

	for (struct block *block = inner->blocks, *before; block; block = before) {
		before = block->before;
		free(block);
	}
	inner->blocks = NULL;
	if (inner->texts)
		memset(inner->texts, 0, inner->text_room * sizeof *inner->texts);
	inner->text_count = 0;
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
	forget(grid);
	free(grid->inner->texts);
	free(grid->inner);
	free(grid->cells);
	free(grid->depths);
	free(grid);
}

static char *take_bytes(struct grid_inner *inner, size_t bytes)
{
	struct block *block = inner->blocks;

	if (!block || block->room - block->used < bytes) {
		size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

		block = malloc(sizeof *block + room);
		if (!block)
			return NULL;
		*block = (struct block){inner->blocks, 0, room};
		inner->blocks = block;
	}
	block->used += bytes;
	return block->bytes + block->used - bytes;
}

static size_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	while (*text)
		hash = (hash ^ (unsigned char)*text++) * 1099511628211u;
	return (size_t)(hash ^ hash >> 32);
}

static bool grow_texts(struct grid_inner *inner)
{
	size_t room = inner->text_room ? 2 * inner->text_room : 1024;
	const char **texts = calloc(room, sizeof *texts);

	if (!texts)
		return false;
	for (size_t i = 0; i < inner->text_room; i++) {
		size_t at = inner->texts[i] ? hash_of(inner->texts[i]) & (room - 1) : 0;

		while (inner->texts[i] && texts[at])
			at = (at + 1) & (room - 1);
		if (inner->texts[i])
			texts[at] = inner->texts[i];
	}
	free(inner->texts);
	inner->texts = texts;
	inner->text_room = room;
	return true;
}

/* Null when there is no memory. */
static const char *keep_text(struct grid_inner *inner, const char *text)
{
	size_t at, bytes;
	char *copy;

	if (2 * inner->text_count >= inner->text_room && !grow_texts(inner))
		return NULL;
	for (at = hash_of(text) & (inner->text_room - 1); inner->texts[at]; at = (at + 1) & (inner->text_room - 1))
		if (!strcmp(inner->texts[at], text))
			return inner->texts[at];
	bytes = strlen(text) + 1;
	copy = take_bytes(inner, bytes);
	if (!copy)
		return NULL;
	memcpy(copy, text, bytes);
	inner->texts[at] = copy;
	inner->text_count++;
	return copy;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	struct grid *grid = context;
	struct grid_inner *inner = grid->inner;

	(void)name;
	forget(grid);
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

static void end(void *context)
{
	(void)context;
}

struct table_sink grid_get_sink(struct grid *grid)
{
	return (struct table_sink){.context = grid, .begin = begin, .row = row, .end = end};
}
