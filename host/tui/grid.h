/* grid: a table in memory, for display on a terminal. An analysis writes the table to the grid's sink. */
#ifndef DWELL_HOST_TUI_GRID_H
#define DWELL_HOST_TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"

#define GRID_ROWS_MAX 1000000u /* most rows kept: some 200 MB */

struct grid {
	bool ticks;             /* set by the owner: nanoseconds are in fact ticks of a clock of unknown rate */
	bool is_flat;           /* set by the owner: the rows are not a tree, whatever their depths */
	struct column *columns; /* the columns for people; keys and titles are copies */
	uint32_t column_count;
	uint32_t depth_column;  /* index of the UNIT_INDENT column, UINT32_MAX: none; not in columns */
	struct cell *cells;     /* column_count for each row; the grid owns the texts */
	uint32_t *depths;       /* for each row; 0 without depth_column */
	size_t row_count;
	uint64_t left_out;      /* rows beyond GRID_ROWS_MAX */
	bool is_short_of_memory; /* parts of the table are missing */
	struct grid_inner *inner;
};

/* Returns null if out of memory. */
struct grid *make_grid(void);
void free_grid(struct grid *grid);

/* Returns a sink whose table replaces the previous one. */
struct table_sink grid_get_sink(struct grid *grid);

static inline const struct cell *grid_row(const struct grid *grid, size_t row)
{
	return grid->cells + row * grid->column_count;
}

#endif
