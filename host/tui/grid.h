/* grid: a table that is kept, to be looked at: what an analysis writes to its sink. */
#ifndef DWELL_HOST_TUI_GRID_H
#define DWELL_HOST_TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"

#define GRID_ROWS_MAX 1000000u /* that are kept: some 200 MB */

struct grid {
	bool ticks;             /* the owner's: nanoseconds are in truth ticks of a clock whose rate is unknown */
	bool is_flat;           /* the owner's: rows are no tree, whatever their depths are */
	struct column *columns; /* those that people are shown; keys and titles are copies */
	uint32_t column_count;
	uint32_t depth_column;  /* the UNIT_INDENT one, UINT32_MAX: none; not in columns */
	struct cell *cells;     /* column_count for each row; text is the grid's */
	uint32_t *depths;       /* of each row, 0 without depth_column */
	size_t row_count;
	uint64_t left_out;      /* rows beyond GRID_ROWS_MAX */
	bool is_short_of_memory; /* some of it is missing */
	struct grid_inner *inner;
};

/* Null when there is no memory. */
struct grid *make_grid(void);
void free_grid(struct grid *grid);

/* A table that is written to it is kept, and the one before is forgotten. */
struct table_sink grid_get_sink(struct grid *grid);

static inline const struct cell *grid_row(const struct grid *grid, size_t row)
{
	return grid->cells + row * grid->column_count;
}

#endif
