/* list: a grid as somebody looks at it: with a cursor, sorted, searched; where rows have depths, as a tree whose paths are opened and
 * closed. Draws itself on the terminal's lines that it is given. */
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
	const struct grid *grid; /* null: nothing yet */
	struct outline outline;
	size_t cursor, top;      /* of the rows that are shown */
	uint32_t followed;       /* function that the cursor is on (cell.function) */
	size_t page;             /* how many were shown last */
	char sort[LIST_KEY_BYTES]; /* key of a column; "": as the analysis has them */
	bool is_reversed;
	bool full_names;
	uint32_t *widths;        /* of the grid's columns: only grow, so that nothing jumps */
	uint32_t width_count;
	struct text_buffer text; /* of one cell */
};

/* Zeroed: empty. */
void list_clear(struct list *list);

/* The grid (borrowed) has a table, another one, or the same one anew: the order stays, and the cursor stays on its function, unless it is
 * on the first row. False: no memory, and nothing is shown. */
bool list_set(struct list *list, const struct grid *grid);

/* A key that moves, opens, closes or sorts. False: it means something else. */
bool list_take_key(struct list *list, uint32_t key);

/* The next row with that text in one of its names, from the cursor on or, is_next, behind it; backwards, before it. Its paths are opened.
 * False: there is none. */
bool list_find(struct list *list, const char *text, bool is_next, bool backwards);

/* The grid's row that the cursor is on. False: there is none. */
bool list_get_row(const struct list *list, size_t *row);
/* The name in that row, null: it has none; and its function, 0: it is none (cell.function). Borrowed from the grid. */
const char *list_get_name(const struct list *list, uint32_t *function);
/* Title of the column that it is sorted by; null: none. */
const char *list_get_sort_title(const struct list *list);

/* On lines [row, row + rows): titles, then what fits. found: text that is marked, "": none. */
void list_draw(struct list *list, int row, int rows, const char *found);

/* What is shown, in that order, limit rows at the most, as a table. */
void list_write(const struct list *list, const char *name, uint64_t limit, const struct table_sink *sink);

#endif
