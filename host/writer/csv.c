/* csv: writes tables as CSV, also in the form of TI's C6000 profiler. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "writer/form.h"

/* Returns whether a spreadsheet would run the text as a formula. Includes the quote added by
 * put_text, so that a reader can remove the quote unambiguously. */
static bool is_formula(const char *text)
{
	return *text && strchr("=+-@'", *text);
}

/* Writes text as one line, whatever bytes the name contains: the program's author
 * chose the name. doc/csv.md describes the escapes to readers. */
static void put_text(struct output *output, const char *text)
{
	size_t plain = 0;
	bool is_quoted;

	while (text[plain] >= ' ' && text[plain] < 0x7f && text[plain] != ',' && text[plain] != '"')
		plain++;
	if (!text[plain] && !is_formula(text)) {
		output_put_bytes(output, text, plain);
		return;
	}
	is_quoted = strpbrk(text + plain, ",\"");
	if (is_quoted)
		output_put_char(output, '"');
	if (is_formula(text))
		output_put_char(output, '\'');
	output_put_safe(output, text, '"');
	if (is_quoted)
		output_put_char(output, '"');
}

static void put_cell(struct output *output, enum unit unit, const struct cell *cell)
{
	if (cell->absent)
		return;
	switch (unit) {
	case UNIT_TEXT:
	case UNIT_NAME:
		put_text(output, cell->text);
		break;
	case UNIT_COUNT:
	case UNIT_NS:
	case UNIT_TICKS:
	case UNIT_BYTES:
	case UNIT_INDENT:
		writer_put_decimal(output, cell->count);
		break;
	case UNIT_NS_SIGNED:
	case UNIT_TICKS_SIGNED:
		writer_put_signed(output, cell->signed_count);
		break;
	case UNIT_PERCENT:
	case UNIT_PERCENT_CHANGE:
	case UNIT_POINTS:
	case UNIT_POINTS_UNSIGNED:
	case UNIT_MEAN:
	case UNIT_NS_MEAN:
	case UNIT_BAR:
		if (isfinite(cell->real))
			writer_put_real(output, cell->real);
		break;
	case UNIT_ADDRESS:
		writer_put_address(output, cell->count);
		break;
	}
}

/* Writes a line of values or, if cells is null, of keys. */
static void put_line(struct table_writer *writer, const struct cell *cells)
{
	bool first = true;

	for (uint32_t i = 0; i < writer->column_count; i++) {
		if (writer->columns[i].text_only)
			continue;
		if (!first)
			output_put_char(&writer->output, ',');
		first = false;
		if (cells)
			put_cell(&writer->output, writer->columns[i].unit, &cells[i]);
		else
			put_text(&writer->output, writer->columns[i].key);
	}
	output_put_char(&writer->output, '\n');
}

static void begin(struct table_writer *writer, const char *name)
{
	(void)name;
	put_line(writer, NULL);
}

/* ---- files like those of TI's C6000 profiler: CSV for spreadsheets ---- */

static void begin_c6000(struct table_writer *writer, const char *name)
{
	(void)name;
	if (writer->columns[0].key)
		put_line(writer, NULL);
}

/* These files have numbers with two decimals, and percentages with a sign. */
static void row_c6000(struct table_writer *writer, const struct cell *cells)
{
	struct output *output = &writer->output;

	for (uint32_t i = 0; i < writer->column_count; i++) {
		enum unit unit = writer->columns[i].unit;

		if (i)
			output_put_char(output, ',');
		if (unit_is_real(unit) && !cells[i].absent && isfinite(cells[i].real)) {
			char text[400];

			snprintf(text, sizeof text, "%.2f%s", cells[i].real, unit == UNIT_PERCENT ? "%" : "");
			output_put_text(output, text);
		} else {
			put_cell(output, unit, &cells[i]);
		}
	}
	output_put_char(output, '\n');
}

static void row(struct table_writer *writer, const struct cell *cells)
{
	put_line(writer, cells);
}

static void end(struct table_writer *writer)
{
	(void)writer;
}

const struct writer_form_type writer_form_csv = {sizeof(struct table_writer), begin, row, end, NULL};
const struct writer_form_type writer_form_c6000 = {sizeof(struct table_writer), begin_c6000, row_c6000, end, NULL};
