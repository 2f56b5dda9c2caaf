/* Writes tables as Markdown, for build summaries and comments. */
#include <stdlib.h>

#include "util/array.h"
#include "util/fit_name.h"
#include "util/short_name.h"
#include "writer/form.h"
#include "writer/text_cell.h"

struct markdown_writer {
	struct table_writer writer;
	struct text_buffer text; /* text of one cell */
	char *name; /* room for a name that is cut */
	size_t name_capacity;
};

/* Names are code spans, without any markup; a bar would end the cell even in a code span. */
static void put_text(struct output *output, const char *text, size_t bytes, bool is_code)
{
	if (is_code)
		output_put_char(output, '`');
	for (size_t i = 0; i < bytes; i++) {
		if (is_code && text[i] == '`') {
			output_put_char(output, '\'');
			continue;
		}
		if (text[i] == '|' || (!is_code && text[i] == '\\'))
			output_put_char(output, '\\');
		output_put_char(output, text[i]);
	}
	if (is_code)
		output_put_char(output, '`');
}

static void begin(struct table_writer *writer, const char *name)
{
	(void)name;
	for (int line = 0; line < 2; line++) {
		for (uint32_t i = 0; i < writer->column_count; i++) {
			const struct column *column = &writer->columns[i];

			if (column->data_only)
				continue;
			output_put_text(&writer->output, "| ");
			if (line)
				output_put_text(&writer->output, text_cell_is_left(column->unit) ? "---" : "---:");
			else
				output_put_text(&writer->output, column->title);
			output_put_char(&writer->output, ' ');
		}
		output_put_text(&writer->output, "|\n");
	}
}

/* Writes a name, as short as in text. */
static void put_name(struct markdown_writer *writer, const struct text_cell *cell)
{
	const char *text = writer->text.data + cell->offset;
	size_t bytes = cell->bytes, columns;

	if (!writer->writer.options.full_names && array_reserve(&writer->name, &writer->name_capacity, FIT_BYTES(bytes), 1)) {
		bytes = fit_name(text, bytes, WRITER_NAME_COLUMNS, writer->writer.options.ascii, writer->name, &columns);
		text = writer->name;
	}
	put_text(&writer->writer.output, text, bytes, true);
}

static void row(struct table_writer *base, const struct cell *cells)
{
	struct markdown_writer *writer = (struct markdown_writer *)base;

	for (uint32_t i = 0; i < base->column_count; i++) {
		bool is_name = base->columns[i].unit == UNIT_NAME && !cells[i].absent;
		char *name = is_name && !base->options.full_names ? make_short_name(cells[i].text) : NULL;
		struct cell shown = cells[i];
		struct text_cell cell = {0};

		if (name)
			shown.text = name;
		if (base->columns[i].data_only)
			continue;
		writer->text.used = 0;
		output_put_text(&base->output, "| ");
		if (!text_cell_format(&writer->text, base->columns[i].unit, &shown, 0, &cell))
			cell = (struct text_cell){0};
		else if (is_name)
			put_name(writer, &cell);
		else
			put_text(&base->output, writer->text.data + cell.offset, cell.bytes, false);
		free(name);
		output_put_char(&base->output, ' ');
	}
	output_put_text(&base->output, "|\n");
}

static void end(struct table_writer *writer)
{
	(void)writer;
}

static void clear(struct table_writer *base)
{
	struct markdown_writer *writer = (struct markdown_writer *)base;

	free(writer->text.data);
	free(writer->name);
}

const struct writer_form_type writer_form_markdown = {sizeof(struct markdown_writer), begin, row, end, clear};
