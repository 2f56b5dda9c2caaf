/* list_draw: draws a list: chooses the columns that fit, their widths, and cuts long names. */
#include <stdlib.h>
#include <string.h>

#include "tui/list.h"
#include "tui/terminal.h"
#include "util/array.h"
#include "util/fit_name.h"
#include "util/short_name.h"

#define GAP 2
#define NAME_COLUMNS_MIN 12u /* the main column keeps this width until only essential columns are left */
#define NAME_COLUMNS_GOOD 30u /* the main column keeps this width until no spare columns are left */
#define TEXT_COLUMNS_MAX 24u /* of texts outside the main column */
#define BAR_COLUMNS 20u
#define COLUMNS_MAX 64u
#define INDENT 2u
#define WIDTH_ROWS 300u /* rows that set a table's widths; later rows widen the columns when shown */

/* The columns of the grid on the terminal. */
struct layout {
	bool is_shown[COLUMNS_MAX];
	unsigned width[COLUMNS_MAX];
	uint32_t count;
};

static bool is_name(enum unit unit)
{
	return unit == UNIT_NAME || unit == UNIT_TEXT;
}

/* Formats a cell in the list's buffer. */
static struct text_cell format(struct list *list, uint32_t column, size_t row)
{
	enum unit unit = list->grid->columns[column].unit;
	struct cell cell = grid_row(list->grid, row)[column];
	char *name = unit == UNIT_NAME && !cell.absent && !list->full_names ? make_short_name(cell.text) : NULL;
	struct text_cell text;

	if (name)
		cell.text = name;
	list->text.used = 0;
	text_cell_format(&list->text, unit, &cell, 0, &text);
	free(name);
	return text;
}

/* Columns in front of the name: the row's depth, limited to a part of the terminal, and the mark of a tree. */
static unsigned indent_of(const struct list *list, size_t row)
{
	unsigned most = (unsigned)terminal_columns() / (4 * INDENT), depth = list->grid->depths[row];

	if (list->grid->depth_column == UINT32_MAX)
		return 0;
	return INDENT * (depth < most ? depth : most) + INDENT; /* plus the mark */
}

/* Finds the main column, which has the marks of a tree: the first name, or a text in the last column. */
static uint32_t find_main(const struct list *list)
{
	for (uint32_t i = 0; i < list->grid->column_count; i++)
		if (list->grid->columns[i].unit == UNIT_NAME)
			return i;
	return list->grid->column_count && is_name(list->grid->columns[list->grid->column_count - 1].unit)
		       ? list->grid->column_count - 1
		       : OUTLINE_NONE;
}

/* Widens the list's columns for a visible row. shown: the row's position among the visible rows. */
static void widen_columns(struct list *list, size_t shown)
{
	size_t row = list->outline.shown[shown];
	uint32_t main = find_main(list);

	for (uint32_t i = 0; i < list->grid->column_count; i++) {
		size_t columns = list->grid->columns[i].unit == UNIT_BAR ? BAR_COLUMNS : format(list, i, row).columns;

		columns += i == main ? indent_of(list, row) : 0;
		if (list->widths[i] < columns)
			list->widths[i] = columns < UINT16_MAX ? (uint32_t)columns : UINT16_MAX;
	}
}

/* Widens the list's columns for the titles, the first rows, and the rows on the terminal. */
static void measure_columns(struct list *list)
{
	for (uint32_t i = 0; i < list->grid->column_count; i++) {
		const struct column *column = &list->grid->columns[i];
		size_t title = strlen(column->title);

		if (list->widths[i] < title)
			list->widths[i] = (uint32_t)title;
		if (list->widths[i] < column->width && column->width < 40)
			list->widths[i] = column->width;
	}
	for (size_t i = 0; i < WIDTH_ROWS && i < list->outline.shown_count; i++)
		widen_columns(list, i);
	for (size_t i = 0; i < list->page && list->top + i < list->outline.shown_count; i++)
		widen_columns(list, list->top + i);
}

/* The width of all shown columns with their gaps. The column main counts as at most name columns wide. */
static unsigned sum_widths(const struct layout *layout, uint32_t main, unsigned name)
{
	unsigned sum = 0;

	for (uint32_t i = 0; i < layout->count; i++)
		if (layout->is_shown[i])
			sum += (i == main && layout->width[i] > name ? name : layout->width[i]) + GAP;
	return sum ? sum - GAP : 0;
}

/* Whether the column is the main column or the column that rows are sorted by: these columns are never left out. */
static bool is_essential(const struct list *list, uint32_t main, uint32_t column)
{
	const struct column *of = &list->grid->columns[column];

	return column == main || (*list->sort ? of->key && !strcmp(of->key, list->sort) : of->is_order);
}

/* Leaves out columns until the rest fits in room: first spare columns, the most spare first; then texts, then numbers, from the
 * right. */
static void drop_columns(const struct list *list, struct layout *layout, uint32_t main, unsigned room)
{
	while (sum_widths(layout, main, NAME_COLUMNS_GOOD) > room) {
		uint32_t most = OUTLINE_NONE;

		for (uint32_t i = 0; i < layout->count; i++)
			if (layout->is_shown[i] && !is_essential(list, main, i) && list->grid->columns[i].spare &&
				(most == OUTLINE_NONE || list->grid->columns[i].spare > list->grid->columns[most].spare))
				most = i;
		if (most == OUTLINE_NONE)
			break;
		layout->is_shown[most] = false;
	}
	for (uint32_t i = layout->count; i-- && sum_widths(layout, main, NAME_COLUMNS_MIN) > room;)
		if (!is_essential(list, main, i) && is_name(list->grid->columns[i].unit))
			layout->is_shown[i] = false;
	for (uint32_t i = layout->count; i-- && sum_widths(layout, main, NAME_COLUMNS_MIN) > room;)
		if (!is_essential(list, main, i) && layout->is_shown[i])
			layout->is_shown[i] = sum_widths(layout, OUTLINE_NONE, 0) <= layout->width[i]; /* the last column stays */
}

static struct layout lay_out(const struct list *list)
{
	unsigned room = (unsigned)terminal_columns();
	uint32_t main = find_main(list);
	struct layout layout = {.count = list->grid->column_count < COLUMNS_MAX ? list->grid->column_count : COLUMNS_MAX};

	for (uint32_t i = 0; i < layout.count; i++) {
		layout.is_shown[i] = true;
		layout.width[i] = list->widths[i];
		if (i != main && is_name(list->grid->columns[i].unit) && layout.width[i] > TEXT_COLUMNS_MAX)
			layout.width[i] = TEXT_COLUMNS_MAX;
	}
	drop_columns(list, &layout, main, room);
	if (main < layout.count) { /* the main column takes the remaining room, or shrinks by the excess */
		unsigned others = sum_widths(&layout, OUTLINE_NONE, 0) - layout.width[main];

		if (others + layout.width[main] > room || main + 1 == layout.count)
			layout.width[main] = room > others ? room - others : 1;
	}
	return layout;
}

static void put_bar(double part, int row, int column, unsigned columns, enum terminal_style style)
{
	char bar[3 * TEXT_CELL_BAR_COLUMNS_MAX];
	size_t bytes = text_cell_draw_bar(
		bar, part, columns < TEXT_CELL_BAR_COLUMNS_MAX ? columns : TEXT_CELL_BAR_COLUMNS_MAX, !terminal_has_utf8());

	terminal_put(row, column, (int)columns, bar, bytes, style);
}

/* Writes a name or text of list->text, cut if it is too long. */
static void put_name(
	struct list *list, uint32_t column, const struct text_cell *text, int row, int at, unsigned room, enum terminal_style style)
{
	size_t bytes = text->bytes, columns, shown = text->offset, cut = text->offset + bytes;

	if (text->columns > room && room >= 3 && array_reserve(&list->text.data, &list->text.capacity, cut + FIT_BYTES(bytes), 1)) {
		bytes = text_cell_fit(&list->grid->columns[column], list->text.data + shown, bytes, room, !terminal_has_utf8(),
			list->text.data + cut, &columns);
		shown = cut;
	}
	terminal_put(row, at, (int)room, list->text.data + shown, bytes, style);
}

static void put_main(struct list *list, size_t row, uint32_t column, const struct text_cell *text, int line, int at, unsigned room,
	enum terminal_style style, bool is_found)
{
	unsigned indent = indent_of(list, row);
	const char *mark = list->outline.open[row] ? "-" : "+";

	if (indent > room)
		indent = room;
	if (indent >= INDENT && list->outline.has_more[row])
		terminal_put(line, at + (int)(indent - INDENT), 1, mark, 1, style);
	put_name(list, column, text, line, at + (int)indent, room - indent,
		is_found && style == TERMINAL_PLAIN ? TERMINAL_FOUND : style);
}

static void draw_row(struct list *list, const struct layout *layout, size_t shown, int line, const char *found)
{
	size_t row = list->outline.shown[shown];
	enum terminal_style style = shown == list->cursor ? TERMINAL_CHOSEN : TERMINAL_PLAIN;
	uint32_t main = find_main(list);
	int at = 0;

	terminal_fill(line, 0, terminal_columns(), style);
	for (uint32_t i = 0; i < layout->count; i++) {
		const struct cell *cell = &grid_row(list->grid, row)[i];
		enum unit unit = list->grid->columns[i].unit;
		unsigned room = layout->width[i];
		struct text_cell text;

		if (!layout->is_shown[i])
			continue;
		text = format(list, i, row);
		if (unit == UNIT_BAR && !cell->absent)
			put_bar(cell->real, line, at, room, style);
		else if (i == main)
			put_main(list, row, i, &text, line, at, room, style,
				*found && !cell->absent && strcasestr(cell->text, found));
		else if (text_cell_is_left(unit))
			put_name(list, i, &text, line, at, room, style);
		else
			terminal_put(line, at + (room > text.columns ? (int)(room - text.columns) : 0), (int)room,
				list->text.data + text.offset, text.bytes, style);
		at += (int)room + GAP;
	}
}

static void draw_titles(const struct list *list, const struct layout *layout, int line)
{
	int at = 0;

	for (uint32_t i = 0; i < layout->count; i++) {
		const struct column *column = &list->grid->columns[i];
		size_t bytes = strlen(column->title);
		bool is_sorted = *list->sort && column->key && !strcmp(column->key, list->sort);
		int skip = !text_cell_is_left(column->unit) && layout->width[i] > bytes ? (int)(layout->width[i] - bytes) : 0;

		if (!layout->is_shown[i])
			continue;
		terminal_put(
			line, at + skip, (int)layout->width[i], column->title, bytes, is_sorted ? TERMINAL_CHOSEN : TERMINAL_TITLE);
		at += (int)layout->width[i] + GAP;
	}
}

void list_draw(struct list *list, int row, int rows, const char *found)
{
	struct layout layout;

	list->page = rows > 1 ? (size_t)rows - 1 : 1;
	if (!list->grid)
		return;
	if (list->cursor < list->top)
		list->top = list->cursor;
	if (list->cursor >= list->top + list->page)
		list->top = list->cursor - list->page + 1;
	if (list->top + list->page > list->outline.shown_count) /* no empty lines below while there are rows above */
		list->top = list->outline.shown_count > list->page ? list->outline.shown_count - list->page : 0;
	measure_columns(list);
	layout = lay_out(list);
	draw_titles(list, &layout, row);
	for (int i = 1; i < rows && list->top + (size_t)i - 1 < list->outline.shown_count; i++)
		draw_row(list, &layout, list->top + (size_t)i - 1, row + i, found);
}
