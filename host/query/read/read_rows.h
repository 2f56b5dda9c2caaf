/* read_rows: passes a table to the users of dwell/read.h, in pieces of some thousand rows. */
#ifndef DWELL_HOST_QUERY_READ_READ_ROWS_H
#define DWELL_HOST_QUERY_READ_READ_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/table.h"
#include "dwell/read.h"

/* Zero everything, then set take and context, and is_ticks before the table begins. */
struct read_rows {
	dwell_read_take *take;
	void *context;
	bool is_ticks;     /* times are in ticks */
	/* Results. */
	bool is_done;      /* take has returned 0: the user needs no more rows */
	bool has_starved;  /* memory ran out: rows are missing */
	/* Internal. */
	struct dwell_column *columns;
	size_t *sources;   /* for each column: its index in the analysis's table */
	size_t column_count;
	struct dwell_cell *cells; /* rows not passed yet */
	size_t row_count, cell_capacity;
	char *texts;       /* texts of the cells */
	size_t text_bytes, text_capacity;
};

/* The sink that an analysis writes to. The sink points to rows, so rows must not move until read_rows_clear. */
struct table_sink read_rows_get_sink(struct read_rows *rows);
void read_rows_clear(struct read_rows *rows);

#endif
