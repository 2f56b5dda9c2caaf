/* Writes tables for people, in aligned columns. The first rows (ROWS_WAITING_MAX, BYTES_WAITING_MAX) wait until the widths of the
 * columns are known from them; later rows are written at once. */
#include <errno.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/fit_name.h"
#include "util/short_name.h"
#include "writer/form.h"
#include "writer/text_cell.h"

#define ROWS_WAITING_MAX 200
#define BYTES_WAITING_MAX (1u << 20)
#define GAP 2u /* blanks between two columns */
#define NAME_COLUMNS_MIN 16u /* no name is cut to fewer columns, however narrow the terminal is */
#define NAME_COLUMNS_GOOD 30u /* spare columns are dropped until the name has room for this many columns … */
#define NAME_PART_GOOD 3u /* … and for this fraction of the terminal: a third */
#define NAME_COLUMNS_PAD 60u /* without a terminal, a longer name shifts only its own row */
#define OPTIONAL_COLUMNS 100u /* without a terminal, optional columns are dropped from wider lines */
#define INDENT_COLUMNS 2u
#define INDENT_LEVELS_MAX 64u

/* A column that the text shows. */
struct shown_column {
	uint32_t index; /* in the table's columns */
	const char *name; /* title, or the key if the title is ""; remains valid when the columns are gone */
	bool is_left;
	bool is_dropped; /* dropped for lack of room, or an optional column without a time above 0 */
	bool has_time; /* of an optional column: a row has a time above 0 */
	size_t columns; /* width that cells are padded to */
	size_t limit; /* width that cells are cut to; 0: never cut */
};

struct text_writer {
	struct table_writer writer;
	struct shown_column *shown;
	size_t shown_count;
	uint32_t indent_index; /* the column with the depth; UINT32_MAX: none */
	struct text_buffer text;
	char *cut; /* room for a text that is cut */
	size_t cut_capacity;
	struct text_cell *cells; /* shown_count cells for each buffered row */
	size_t cell_count, cell_capacity;
	size_t gap; /* blanks to write before the next text of the line; none at the end of a line */
	bool widths_known; /* the columns' widths are known, and no rows wait */
	bool is_short_of_memory; /* memory ran out, and a diag reports it */
};

static void put_gap(struct text_writer *writer)
{
	for (; writer->gap; writer->gap--)
		output_put_char(&writer->writer.output, ' ');
}

static void put_text(struct text_writer *writer, const char *text, size_t bytes)
{
	if (!bytes)
		return;
	put_gap(writer);
	output_put_bytes(&writer->writer.output, text, bytes);
}

static void end_line(struct text_writer *writer)
{
	writer->gap = 0;
	output_put_char(&writer->writer.output, '\n');
}

static void add_no_memory(struct text_writer *writer)
{
	if (!writer->is_short_of_memory)
		diag_add(writer->writer.diag, DIAG_ERROR, writer->writer.name, DIAG_NO_OFFSET, "no memory to write a table");
	writer->is_short_of_memory = true;
}

static const struct column *column_of(const struct text_writer *writer, size_t shown)
{
	return &writer->writer.columns[writer->shown[shown].index];
}

static const char *title_of(const struct text_writer *writer, size_t shown)
{
	const struct column *column = column_of(writer, shown);

	return column->title ? column->title : column->key;
}

static const char *name_of(const struct column *column)
{
	return column->title && *column->title ? column->title : column->key;
}

/* Draws a bar without padding: nothing follows it. */
static void put_bar(struct text_writer *writer, const struct shown_column *column, const char *cell)
{
	size_t columns = column->columns < TEXT_CELL_BAR_COLUMNS_MAX ? column->columns : TEXT_CELL_BAR_COLUMNS_MAX;
	char bar[3 * TEXT_CELL_BAR_COLUMNS_MAX];
	double part;

	memcpy(&part, cell, sizeof part);
	put_text(writer, bar, text_cell_draw_bar(bar, part, columns, writer->writer.options.ascii));
}

/* Makes room for a cut text. False: no memory; the text stays whole. */
static bool reserve_cut(struct text_writer *writer, size_t bytes)
{
	return array_reserve(&writer->cut, &writer->cut_capacity, FIT_BYTES(bytes), 1);
}

/* Writes a cell, cut to the column's limit with an ellipsis, and padded unless it is the last column. */
static void put_aligned(struct text_writer *writer, size_t shown, const char *text, size_t bytes, size_t columns)
{
	const struct shown_column *column = &writer->shown[shown];
	bool is_last = shown + 1 == writer->shown_count, is_cut = column->limit && columns > column->limit;
	bool is_bar = writer->writer.columns[column->index].unit == UNIT_BAR;

	if (column->is_dropped)
		return;
	if (is_bar && columns == TEXT_CELL_BAR_COLUMNS) { /* neither a title nor an absent value */
		put_bar(writer, column, text);
		return;
	}
	if (!column->is_left && columns < column->columns)
		writer->gap += column->columns - columns;
	if (is_cut && reserve_cut(writer, bytes)) {
		bytes = text_cell_fit(&writer->writer.columns[column->index], text, bytes, column->limit,
			writer->writer.options.ascii, writer->cut, &columns);
		text = writer->cut;
	}
	put_text(writer, text, bytes);
	if (is_last)
		return;
	if (column->is_left && columns < column->columns)
		writer->gap += column->columns - columns;
	writer->gap += GAP;
}

static void put_header(struct text_writer *writer)
{
	struct output *output = &writer->writer.output;

	if (writer->writer.options.colour)
		output_put_text(output, "\033[1m");
	for (size_t i = 0; i < writer->shown_count; i++)
		put_aligned(writer, i, title_of(writer, i), strlen(title_of(writer, i)), strlen(title_of(writer, i)));
	if (writer->writer.options.colour)
		output_put_text(output, "\033[0m");
	end_line(writer);
}

/* Writes the buffered rows and empties the buffer. */
static void put_rows(struct text_writer *writer)
{
	for (size_t i = 0; i < writer->cell_count; i++) {
		const struct text_cell *cell = &writer->cells[i];
		size_t shown = i % writer->shown_count;

		put_aligned(writer, shown, writer->text.data + cell->offset, cell->bytes, cell->columns);
		if (shown + 1 == writer->shown_count)
			end_line(writer);
	}
	writer->cell_count = 0;
	writer->text.used = 0;
}

/* Returns column.spare: 0: the column always stays; of the others, the highest rank is dropped first. */
static uint8_t rank_of(const struct text_writer *writer, size_t shown)
{
	return column_of(writer, shown)->spare;
}

/* Drops spare columns until the others fit into the terminal and the widest name has NAME_COLUMNS_GOOD or NAME_PART_GOOD. Columns
 * with equal rank, such as both ends of an interval, are dropped together. *total: width of all columns, and of those that stay.
 * optional: drops no other columns. */
static void spare(struct text_writer *writer, size_t terminal, size_t *total, size_t widest_name, bool optional)
{
	size_t part = terminal / NAME_PART_GOOD, good = part > NAME_COLUMNS_GOOD ? part : NAME_COLUMNS_GOOD;
	size_t needed = *total - widest_name + (widest_name < good ? widest_name : good);

	while (needed > terminal) {
		uint8_t rank = 0;

		for (size_t i = 0; i + 1 < writer->shown_count; i++)
			if (!writer->shown[i].is_dropped && rank_of(writer, i) > rank && column_of(writer, i)->optional >= optional)
				rank = rank_of(writer, i);
		if (!rank)
			return;
		for (size_t i = 0; i + 1 < writer->shown_count; i++) {
			struct shown_column *column = &writer->shown[i];

			if (rank_of(writer, i) != rank || column->is_dropped || column_of(writer, i)->optional < optional)
				continue;
			column->is_dropped = true;
			*total -= column->columns + GAP;
			needed -= column->columns + GAP;
		}
	}
}

/* *total: width of all columns. Returns the widest name; null: there is no name. */
static struct shown_column *measure(struct text_writer *writer, size_t *total)
{
	struct shown_column *widest = NULL;

	*total = 0;
	for (size_t i = 0; i < writer->shown_count; i++) {
		struct shown_column *column = &writer->shown[i];

		*total += column->is_dropped ? 0 : column->columns + (*total ? GAP : 0);
		if (column->is_left && !writer->writer.columns[column->index].spare &&
			(!widest || column->columns > widest->columns))
			widest = column;
	}
	return widest;
}

/* Fits the columns into the terminal: the widest name shrinks by the
 * excess; a name in the last column may use all remaining room. */
static void fit_terminal(struct text_writer *writer, size_t terminal)
{
	struct shown_column *last = &writer->shown[writer->shown_count - 1], *widest;
	size_t total;

	widest = measure(writer, &total);
	spare(writer, terminal, &total, widest ? widest->columns : 0, false);
	if (widest && total > terminal && widest->columns > NAME_COLUMNS_MIN) {
		size_t room = widest->columns - NAME_COLUMNS_MIN, over = total - terminal;

		widest->columns -= over < room ? over : room;
		total -= over < room ? over : room;
	}
	if (last->is_left && total < terminal)
		last->columns += terminal - total;
	for (size_t i = 0; i < writer->shown_count; i++)
		if (writer->shown[i].is_left && !writer->writer.options.full_names)
			writer->shown[i].limit = writer->shown[i].columns;
}

/* Without a terminal optional columns are dropped and names are cut as well: lines of a log, and of a pager, are read by people. */
static void fit_log(struct text_writer *writer)
{
	struct shown_column *widest;
	size_t total;

	widest = measure(writer, &total);
	spare(writer, OPTIONAL_COLUMNS, &total, widest ? widest->columns : 0, true);
	for (size_t i = 0; i < writer->shown_count && !writer->writer.options.full_names; i++)
		if (column_of(writer, i)->unit == UNIT_NAME && !column_of(writer, i)->cut_end)
			writer->shown[i].limit = WRITER_NAME_COLUMNS;
}

/* Sets the widths from the buffered rows, then writes the header and these rows. */
static void fix_widths(struct text_writer *writer)
{
	if (!writer->shown_count)
		return;
	for (size_t i = 0; i < writer->shown_count; i++) {
		struct shown_column *column = &writer->shown[i];
		size_t title = strlen(title_of(writer, i)), hint = writer->writer.columns[column->index].width;

		column->columns = title > hint ? title : hint;
		column->is_dropped = column_of(writer, i)->optional && !column->has_time;
	}
	for (size_t i = 0; i < writer->cell_count; i++) {
		struct shown_column *column = &writer->shown[i % writer->shown_count];
		size_t columns = writer->cells[i].columns;

		if (column->is_left && !writer->writer.options.width && columns > NAME_COLUMNS_PAD)
			columns = NAME_COLUMNS_PAD;
		if (columns > column->columns)
			column->columns = columns;
	}
	if (writer->writer.options.width > 0)
		fit_terminal(writer, (size_t)writer->writer.options.width);
	else
		fit_log(writer);
	put_header(writer);
	put_rows(writer);
	writer->widths_known = true;
}

/* Returns whether every column has a width hint, and none is optional: then no row needs to wait. */
static bool has_hints(const struct text_writer *writer)
{
	for (size_t i = 0; i < writer->shown_count; i++)
		if (!column_of(writer, i)->width || column_of(writer, i)->optional)
			return false;
	return true;
}

static void begin(struct table_writer *base, const char *name)
{
	struct text_writer *writer = (struct text_writer *)base;

	(void)name; /* people get by with the titles */
	free(writer->shown);
	writer->shown_count = 0;
	writer->cell_count = 0;
	writer->text.used = 0;
	writer->indent_index = UINT32_MAX;
	writer->widths_known = false;
	writer->shown = calloc(base->column_count + (size_t)1, sizeof *writer->shown);
	if (!writer->shown) {
		add_no_memory(writer);
		return;
	}
	for (uint32_t i = 0; i < base->column_count; i++) {
		if (base->columns[i].unit == UNIT_INDENT && !base->columns[i].data_only)
			writer->indent_index = i;
		else if (!base->columns[i].data_only)
			writer->shown[writer->shown_count++] = (struct shown_column){.index = i,
				.name = name_of(&base->columns[i]),
				.is_left = text_cell_is_left(base->columns[i].unit)};
	}
	if (has_hints(writer))
		fix_widths(writer);
}

static size_t indent_of(const struct text_writer *writer, const struct cell *cells)
{
	uint64_t levels, most = INDENT_LEVELS_MAX;

	if (writer->indent_index == UINT32_MAX || cells[writer->indent_index].absent)
		return 0;
	levels = cells[writer->indent_index].count;
	if (writer->writer.options.width > 0) /* leaves room for the name itself */
		most = (unsigned)writer->writer.options.width / (4 * INDENT_COLUMNS);
	return (size_t)(levels < most ? levels : most) * INDENT_COLUMNS;
}

static void row(struct table_writer *base, const struct cell *cells)
{
	struct text_writer *writer = (struct text_writer *)base;

	if (!writer->shown_count)
		return;
	if (!array_reserve(
		    &writer->cells, &writer->cell_capacity, writer->cell_count + writer->shown_count, sizeof *writer->cells)) {
		add_no_memory(writer);
		return;
	}
	for (size_t i = 0; i < writer->shown_count; i++) {
		const struct column *column = &base->columns[writer->shown[i].index];

		struct cell cell = cells[writer->shown[i].index];
		char *name =
			column->unit == UNIT_NAME && !cell.absent && !base->options.full_names ? make_short_name(cell.text) : NULL;

		if (name)
			cell.text = name;
		writer->shown[i].has_time |= column->optional && !cell.absent && cell.count;
		if (!text_cell_format(&writer->text, column->unit, &cell, column->unit == UNIT_NAME ? indent_of(writer, cells) : 0,
			    &writer->cells[writer->cell_count++]))
			add_no_memory(writer);
		free(name);
	}
	if (writer->widths_known)
		put_rows(writer);
	else if (writer->cell_count >= ROWS_WAITING_MAX * writer->shown_count || writer->text.used > BYTES_WAITING_MAX)
		fix_widths(writer);
}

/* Lists the columns for which the terminal has no room. */
static void list_dropped(struct text_writer *writer)
{
	struct output *output = &writer->writer.output;
	bool any = false;

	for (size_t i = 0; writer->writer.options.width > 0 && i < writer->shown_count; i++) {
		if (!writer->shown[i].is_dropped || (column_of(writer, i)->optional && !writer->shown[i].has_time))
			continue;
		output_put_text(output, any ? ", " : "(hidden: ");
		output_put_text(output, title_of(writer, i));
		any = true;
	}
	if (any)
		output_put_text(output, "; --csv has all)\n");
}

static void end(struct table_writer *base)
{
	struct text_writer *writer = (struct text_writer *)base;

	if (!writer->widths_known)
		fix_widths(writer);
	list_dropped(writer);
}

static bool shows(const struct table_writer *base, const char *title)
{
	const struct text_writer *writer = (const struct text_writer *)base;

	for (size_t i = 0; i < writer->shown_count; i++)
		if (!writer->shown[i].is_dropped && !strcmp(writer->shown[i].name, title))
			return true;
	return false;
}

static void clear(struct table_writer *base)
{
	struct text_writer *writer = (struct text_writer *)base;

	free(writer->shown);
	free(writer->cells);
	free(writer->text.data);
	free(writer->cut);
}

const struct writer_form_type writer_form_text = {sizeof(struct text_writer), begin, row, end, clear, shows};
