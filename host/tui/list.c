/* list: cursor, sorting and search in a list (list.h); list_draw.c draws it. */
#include "tui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/terminal.h"

void list_clear(struct list *list)
{
	outline_clear(&list->outline);
	free(list->widths);
	free(list->text.data);
	*list = (struct list){0};
}

static uint32_t find_column(const struct list *list, const char *key)
{
	for (uint32_t i = 0; *key && i < list->grid->column_count; i++)
		if (list->grid->columns[i].key && !strcmp(list->grid->columns[i].key, key))
			return i;
	return OUTLINE_NONE;
}

/* The first name in the grid's row; null: none. */
static const struct cell *find_name(const struct list *list, size_t row)
{
	for (uint32_t i = 0; i < list->grid->column_count; i++)
		if (list->grid->columns[i].unit == UNIT_NAME && !grid_row(list->grid, row)[i].absent)
			return &grid_row(list->grid, row)[i];
	return NULL;
}

bool list_get_row(const struct list *list, size_t *row)
{
	if (!list->grid || list->cursor >= list->outline.shown_count)
		return false;
	*row = list->outline.shown[list->cursor];
	return true;
}

const char *list_get_name(const struct list *list, uint32_t *function)
{
	const struct cell *name;
	size_t row;

	*function = 0;
	name = list_get_row(list, &row) ? find_name(list, row) : NULL;
	if (!name)
		return NULL;
	*function = name->function;
	return name->text;
}

/* Remembers the function in the cursor's row. */
static void remember_function(struct list *list)
{
	list_get_name(list, &list->followed_function);
}

/* Moves the cursor; beyond the last row, to the last row. */
static void put_cursor(struct list *list, size_t cursor)
{
	size_t count = list->outline.shown_count;

	list->cursor = cursor < count ? cursor : count ? count - 1 : 0;
}

/* Moves the cursor to the grid's row, if the row is visible. */
static void follow_row(struct list *list, uint32_t row)
{
	size_t at = outline_find(&list->outline, row);

	if (at < list->outline.shown_count)
		put_cursor(list, at);
}

static void follow_function(struct list *list, uint32_t function)
{
	for (size_t i = 0; i < list->outline.shown_count; i++) {
		const struct cell *name = find_name(list, list->outline.shown[i]);

		if (name && name->function == function) {
			put_cursor(list, i);
			return;
		}
	}
}

bool list_set(struct list *list, const struct grid *grid)
{
	uint32_t function = list->cursor ? list->followed_function : 0; /* all that remains of the previous table */

	if (!outline_set(&list->outline, grid) || list->width_count != grid->column_count) {
		free(list->widths);
		list->widths = calloc(grid->column_count + (size_t)1, sizeof *list->widths);
		list->width_count = list->widths ? grid->column_count : 0;
	}
	list->grid = list->widths && list->outline.grid ? grid : NULL;
	if (!list->grid)
		return false;
	if (*list->sort || list->is_reversed)
		outline_sort(&list->outline, find_column(list, list->sort), list->is_reversed);
	put_cursor(list, list->cursor);
	if (function)
		follow_function(list, function);
	remember_function(list);
	return true;
}

const char *list_get_sort_title(const struct list *list)
{
	uint32_t column = list->grid ? find_column(list, list->sort) : OUTLINE_NONE;

	return column == OUTLINE_NONE ? NULL : list->grid->columns[column].title;
}

/* ---- keys ---- */

static bool can_sort_by(const struct column *column)
{
	return column->key && column->unit != UNIT_BAR && *column->title;
}

/* Chooses the next column to sort by (step 1), or the previous column (−1). After the last column comes the order of the analysis.
 */
static void sort_by_neighbour(struct list *list, int step)
{
	uint32_t count = list->grid->column_count, at = find_column(list, list->sort);
	uint32_t place = at == OUTLINE_NONE ? count : at;

	do
		place = (place + (step > 0 ? 1 : count)) % (count + 1);
	while (place < count && !can_sort_by(&list->grid->columns[place]));
	snprintf(list->sort, sizeof list->sort, "%s", place < count ? list->grid->columns[place].key : "");
	list->is_reversed = false;
}

/* Sorts the rows. The cursor stays on its row, unless it is at the top. */
static void sort(struct list *list)
{
	size_t row;
	bool is_first = !list->cursor, any = list_get_row(list, &row);

	outline_sort(&list->outline, find_column(list, list->sort), list->is_reversed);
	if (any && !is_first)
		follow_row(list, (uint32_t)row);
}

/* Opens or closes the cursor's row. If the row has nothing to close, moves to its parent. */
static void open_row(struct list *list, bool open, bool all_below)
{
	size_t row;

	if (!list_get_row(list, &row))
		return;
	if (!open && (!list->outline.has_more[row] || !list->outline.open[row]) && list->outline.parents[row] != OUTLINE_NONE) {
		follow_row(list, list->outline.parents[row]); /* the row is closed: go to its parent */
		return;
	}
	outline_open(&list->outline, (uint32_t)row, open, all_below);
	follow_row(list, (uint32_t)row);
}

static bool move_cursor(struct list *list, uint32_t key)
{
	size_t count = list->outline.shown_count, page = list->page > 1 ? list->page - 1 : 1;

	switch (key) {
	case TERMINAL_UP: case 'k': put_cursor(list, list->cursor ? list->cursor - 1 : 0); return true;
	case TERMINAL_DOWN: case 'j': put_cursor(list, list->cursor + 1); return true;
	case TERMINAL_PAGE_UP: put_cursor(list, list->cursor > page ? list->cursor - page : 0); return true;
	case TERMINAL_PAGE_DOWN: put_cursor(list, list->cursor + page); return true;
	case TERMINAL_HOME: case 'g': put_cursor(list, 0); return true;
	case TERMINAL_END: case 'G': put_cursor(list, count); return true;
	default: return false;
	}
}

static bool open_or_close(struct list *list, uint32_t key)
{
	size_t row;

	if (list->grid->depth_column == UINT32_MAX || !list_get_row(list, &row))
		return false;
	switch (key) {
	case TERMINAL_RIGHT: case 'l': case '+': open_row(list, true, false); return true;
	case TERMINAL_LEFT: case 'h': case '-': open_row(list, false, false); return true;
	case '*': open_row(list, true, true); return true;
	case ' ': case TERMINAL_ENTER: open_row(list, !list->outline.open[row], false); return true;
	default: return false;
	}
}

bool list_take_key(struct list *list, uint32_t key)
{
	bool taken = true;

	if (!list->grid)
		return false;
	if (!move_cursor(list, key) && !open_or_close(list, key)) {
		switch (key) {
		case '>': case 's': sort_by_neighbour(list, 1); sort(list); break;
		case '<': case 'S': sort_by_neighbour(list, -1); sort(list); break;
		case 'r': list->is_reversed = !list->is_reversed; sort(list); break;
		case 'F': list->full_names = !list->full_names; break;
		default: taken = false;
		}
	}
	remember_function(list);
	return taken;
}

/* ---- search ---- */

static bool has_text(const struct list *list, size_t row, const char *text)
{
	for (uint32_t i = 0; i < list->grid->column_count; i++) {
		enum unit unit = list->grid->columns[i].unit;
		const struct cell *cell = &grid_row(list->grid, row)[i];

		if ((unit == UNIT_NAME || unit == UNIT_TEXT) && !cell->absent && strcasestr(cell->text, text))
			return true;
	}
	return false;
}

bool list_find(struct list *list, const char *text, bool is_next, bool backwards)
{
	const struct outline *outline = &list->outline;
	size_t row, at = 0, count = outline->count;

	if (!*text || !list_get_row(list, &row))
		return false;
	while (at < count && outline->order[at] != row)
		at++;
	for (size_t i = is_next; i < count + is_next; i++) { /* all rows, wrapping around at the end */
		uint32_t candidate = outline->order[(at + (backwards ? count - i % count : i)) % count];

		if (!has_text(list, candidate, text))
			continue;
		outline_reveal(&list->outline, candidate);
		follow_row(list, candidate);
		remember_function(list);
		return true;
	}
	return false;
}

void list_write(const struct list *list, const char *name, uint64_t limit, const struct table_sink *sink)
{
	const struct grid *grid = list->grid;

	if (!grid)
		return;
	sink->begin(sink->context, name, grid->columns, grid->column_count);
	for (size_t i = 0; i < list->outline.shown_count && i < limit; i++)
		sink->row(sink->context, grid_row(grid, list->outline.shown[i]));
	sink->end(sink->context);
}
