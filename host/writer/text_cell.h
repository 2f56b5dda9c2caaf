/* text_cell: formats one cell of a table for people. */
#ifndef DWELL_HOST_WRITER_TEXT_CELL_H
#define DWELL_HOST_WRITER_TEXT_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"

/* The text of many cells, one after another; grows. */
struct text_buffer {
	char *data;
	size_t used, capacity;
};

/* One cell's part of the buffer: valid UTF-8, safe to show; of a bar, a double (text_cell_format). */
struct text_cell {
	size_t offset;
	size_t bytes;
	size_t columns; /* width on a terminal */
};

/* Returns whether cells are left-aligned: names and texts are, numbers are right-aligned. */
bool text_cell_is_left(enum unit unit);

/* Appends the cell's text. indent: blanks before the text. Returns false if out of memory; then the cell is empty.
 * Of a bar (UNIT_BAR) that is not absent, appends the length, a double of the machine, as bytes: the writer draws the bar once the
 * column's width is known (text_cell_draw_bar). Then out->columns is TEXT_CELL_BAR_COLUMNS. */
bool text_cell_format(struct text_buffer *buffer, enum unit unit, const struct cell *cell, size_t indent, struct text_cell *out);

/* Writes a cell's text to out (FIT_BYTES of fit_name.h), cut to `limit` columns of a terminal as suits the column: a name by
 * its parts, another text in its middle or at its end. Returns the bytes; *columns: the columns they take. */
size_t text_cell_fit(
	const struct column *column, const char *text, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns);

/* Width of a bar without a terminal, and the largest width on a terminal. */
#define TEXT_CELL_BAR_COLUMNS 40u
#define TEXT_CELL_BAR_COLUMNS_MAX 200u
/* Draws a bar over part of the columns, 0 to 1. ascii: with '#' instead of blocks. Returns the bytes written to out, at most 3 per
 * column, without a final zero. */
size_t text_cell_draw_bar(char *out, double part, size_t columns, bool ascii);

#endif
