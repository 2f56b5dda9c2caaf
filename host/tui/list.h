/* list: a grid for display: with a cursor, sorting and search; rows with depths are a tree whose paths
 * open and close. Draws itself on given lines of the terminal. */
#ifndef DWELL_HOST_TUI_LIST_H
#define DWELL_HOST_TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/grid.h"
#include "tui/outline.h"
#include "writer/text_cell.h"

#define LIST_KEY_BYTES 40u

struct list {
	const struct grid *grid; /* null: no table yet */
	struct outline outline;
	size_t cursor, top;      /* indexes of visible rows */
	uint32_t followed_function;       /* function in the cursor's row (cell.function), for the next table; 0: none */
	size_t page;             /* number of rows that fit on the terminal, when drawn last */
	char sort[LIST_KEY_BYTES]; /* key of a column; "": the order of the analysis */
	bool is_reversed;
	bool full_names;
	uint32_t *widths;        /* for each column of the grid; widths only grow, to keep columns from jumping */
	uint32_t width_count;
	struct text_buffer text; /* text of one cell */
};

/* Zeroed: empty. */
void list_clear(struct list *list);

/* Takes a table in the grid (borrowed), new or updated. Keeps the order, and keeps the cursor on its function, unless it is on the
 * first row. Returns false if out of memory; then nothing is shown. */
bool list_set(struct list *list, const struct grid *grid);

/* Handles a key that moves, opens, closes or sorts. Returns false for other keys. */
bool list_take_key(struct list *list, uint32_t key);

/* Moves the cursor to the next row with the text in a name, ignoring case, and opens the row's parents. Begins at the cursor's
 * row, or after it if is_next; backwards: searches upwards. Wraps around. Returns false if no row has the text. */
bool list_find(struct list *list, const char *text, bool is_next, bool backwards);

/* Gets the grid's row at the cursor. Returns false without rows. */
bool list_get_row(const struct list *list, size_t *row);
/* Returns the name in the row at the cursor, null: none; and the function, 0: none (cell.function). Borrowed from the grid. */
const char *list_get_name(const struct list *list, uint32_t *function);
/* Returns the title of the sort column; null: none. */
const char *list_get_sort_title(const struct list *list);

/* Draws on lines [row, row + rows): titles, then as many rows as fit. found: text to mark, "": none. */
void list_draw(struct list *list, int row, int rows, const char *found);

/* Writes the visible rows as a table, in their order, at most limit rows. */
void list_write(const struct list *list, const char *name, uint64_t limit, const struct table_sink *sink);

#endif
