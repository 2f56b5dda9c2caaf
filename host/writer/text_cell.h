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

/* How many bytes of valid UTF-8 fit into columns; *used says how many columns they take. */
size_t text_cell_fit(const char *text, size_t bytes, size_t columns, size_t *used);

/* Columns of a bar on no terminal, and the most it is drawn with. The text of its cell is the part as a double, in the machine's form. */
#define TEXT_CELL_BAR_COLUMNS 40u
#define TEXT_CELL_BAR_COLUMNS_MAX 200u
/* Draws it; returns the bytes, at most 3 for each column. */
size_t text_cell_draw_bar(char *out, double part, size_t columns, bool ascii);

#endif
