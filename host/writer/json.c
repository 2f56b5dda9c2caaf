/* json: writes tables as JSON, row by row, in the form that writer_options.h describes. */
#include <jansson.h>
#include <math.h>

#include "writer/form.h"
#include "writer/json_text.h"

struct json_writer {
	struct table_writer writer;
};

static int take_bytes(const char *bytes, size_t count, void *context)
{
	output_put_bytes(context, bytes, count);
	return 0;
}

/* Writes a value and releases it. Writes null if the value could not be allocated. */
static void put_value(struct output *output, json_t *value)
{
	if (!value || json_dump_callback(value, take_bytes, output, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)))
		output_put_text(output, "null");
	json_decref(value);
}

static void put_text(struct json_writer *writer, const char *text)
{
	json_text_put(&writer->writer.output, text);
}

static void put_cell(struct json_writer *writer, enum unit unit, const struct cell *cell)
{
	struct output *output = &writer->writer.output;

	if (cell->absent || (unit_is_real(unit) && !isfinite(cell->real))) {
		output_put_text(output, "null");
		return;
	}
	switch (unit) {
	case UNIT_TEXT:
	case UNIT_NAME:
		put_text(writer, cell->text);
		break;
	case UNIT_COUNT:
	case UNIT_NS:
	case UNIT_TICKS:
	case UNIT_BYTES:
	case UNIT_INDENT:
		if (cell->count > INT64_MAX)
			put_value(output, json_real((double)cell->count));
		else
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
		writer_put_real(output, cell->real);
		break;
	case UNIT_ADDRESS:
		output_put_char(output, '"');
		writer_put_address(output, cell->count);
		output_put_char(output, '"');
		break;
	}
}

static const char *unit_name(enum unit unit)
{
	switch (unit) {
	case UNIT_TEXT:
		return "text";
	case UNIT_NAME:
		return "name";
	case UNIT_COUNT:
		return "count";
	case UNIT_NS:
	case UNIT_NS_MEAN:
	case UNIT_NS_SIGNED:
		return "ns";
	case UNIT_PERCENT:
	case UNIT_PERCENT_CHANGE:
	case UNIT_POINTS:
	case UNIT_POINTS_UNSIGNED:
		return "percent";
	case UNIT_TICKS:
	case UNIT_TICKS_SIGNED:
		return "ticks";
	case UNIT_MEAN:
		return "mean";
	case UNIT_ADDRESS:
		return "address";
	case UNIT_BYTES:
		return "bytes";
	case UNIT_BAR:
		return "part";
	case UNIT_INDENT:
		return "depth";
	}
	return "text";
}

static void begin(struct table_writer *base, const char *name)
{
	struct json_writer *writer = (struct json_writer *)base;
	bool first = true;

	output_put_text(&base->output, "{\"name\": ");
	put_text(writer, name);
	output_put_text(&base->output, ",\n \"columns\": [");
	for (uint32_t i = 0; i < base->column_count; i++) {
		const struct column *column = &base->columns[i];

		if (column->text_only)
			continue;
		output_put_text(&base->output, first ? "{\"key\": " : ", {\"key\": ");
		first = false;
		put_text(writer, column->key);
		output_put_text(&base->output, ", \"title\": ");
		put_text(writer, column->title ? column->title : column->key);
		output_put_text(&base->output, ", \"unit\": \"");
		output_put_text(&base->output, unit_name(column->unit));
		output_put_text(&base->output, "\"}");
	}
	output_put_text(&base->output, "],\n \"rows\": [");
}

static void row(struct table_writer *base, const struct cell *cells)
{
	struct json_writer *writer = (struct json_writer *)base;
	bool first = true;

	output_put_text(&base->output, base->row_count ? ",\n{" : "\n{");
	for (uint32_t i = 0; i < base->column_count; i++) {
		if (base->columns[i].text_only)
			continue;
		if (!first)
			output_put_text(&base->output, ", ");
		first = false;
		put_text(writer, base->columns[i].key);
		output_put_text(&base->output, ": ");
		put_cell(writer, base->columns[i].unit, &cells[i]);
	}
	output_put_char(&base->output, '}');
}

static void end(struct table_writer *base)
{
	output_put_text(&base->output, "\n]}\n");
}

const struct writer_form_type writer_form_json = {sizeof(struct json_writer), begin, row, end, NULL};
