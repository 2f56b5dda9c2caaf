/* One cell as a person reads it. */
#ifndef DWELL_HOST_WRITER_TEXT_CELL_H
#define DWELL_HOST_WRITER_TEXT_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"

/* Text of many cells, one behind the other; grows. */
struct text_buffer {
	char *data;
	size_t used, capacity;
};

/* A piece of it: valid UTF-8, safe to show. */
struct text_cell {
	size_t offset;
	size_t bytes;
	size_t columns; /* on a terminal */
};

/* Names and texts begin at the left, numbers end at the right. */
bool text_cell_is_left(enum unit unit);

/* Appends the cell's text. indent: columns in front of it. False: no memory, the cell is empty. */
bool text_cell_format(struct text_buffer *buffer, enum unit unit, const struct cell *cell, size_t indent, struct text_cell *out);

/* Cuts valid UTF-8 of so many columns to limit, fewer, and room for an ellipsis: long names that are near each other differ at either
 * end, so what is left out is the middle, between the first *head bytes and what begins at *tail. Blanks at the beginning stay. Returns
 * the columns of all three. */
size_t text_cell_cut(const char *text, size_t bytes, size_t columns, size_t limit, size_t *head, size_t *tail);

/* The same without what is behind the ellipsis: *tail is bytes. */
size_t text_cell_cut_end(const char *text, size_t bytes, size_t limit, size_t *head, size_t *tail);

/* Columns of a bar on no terminal, and the most it is drawn with. The text of its cell is the part as a double, in the machine's form. */
#define TEXT_CELL_BAR_COLUMNS 40u
#define TEXT_CELL_BAR_COLUMNS_MAX 200u
/* Draws it; returns the bytes, at most 3 for each column. */
size_t text_cell_draw_bar(char *out, double part, size_t columns, bool ascii);

#endif
