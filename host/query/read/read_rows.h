/* read_rows: a table as those who read through dwell/read.h get it: in pieces of some thousand rows. */
#ifndef DWELL_HOST_QUERY_READ_READ_ROWS_H
#define DWELL_HOST_QUERY_READ_READ_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/table.h"
#include "dwell/read.h"

/* Zero it; set take and context. */
struct read_rows {
	dwell_read_take *take;
	void *context;
	bool is_ticks;     /* times are */
	bool is_done;      /* take wants no more */
	bool has_starved;  /* there was no memory: rows are missing */
	/* Internal. */
	struct dwell_column *columns;
	size_t *sources;   /* of each: which column of the table it is */
	size_t column_count;
	struct dwell_cell *cells;
	size_t row_count;
	char *texts;       /* of the cells */
	size_t text_bytes, text_capacity;
};

/* Where an analysis writes to. rows stays where it is until read_rows_clear. */
struct table_sink read_rows_get_sink(struct read_rows *rows);
void read_rows_clear(struct read_rows *rows);

#endif
