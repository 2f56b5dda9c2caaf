/* text_cell: formats, cuts and draws cells (text_cell.h). */
#include "writer/text_cell.h"

#include <stdio.h>
#include <string.h>

#include "util/array.h"
#include "util/fit_name.h"
#include "util/real.h"
#include "util/units.h"
#include "util/utf8.h"

#define NS_WITH_FRACTION 1000 /* below this a mean of nanoseconds is shown with a decimal */

bool text_cell_is_left(enum unit unit)
{
	return unit == UNIT_TEXT || unit == UNIT_NAME || unit == UNIT_BAR;
}

static bool reserve(struct text_buffer *buffer, size_t bytes)
{
	return bytes <= SIZE_MAX - buffer->used && array_reserve(&buffer->data, &buffer->capacity, buffer->used + bytes, 1);
}

/* Appends printable ASCII. */
static bool append_plain(struct text_buffer *buffer, const char *text, size_t bytes, struct text_cell *cell)
{
	if (!reserve(buffer, bytes))
		return false;
	memcpy(buffer->data + buffer->used, text, bytes);
	buffer->used += bytes;
	cell->bytes += bytes;
	cell->columns += bytes;
	return true;
}

static bool append_escaped(struct text_buffer *buffer, const char *text, struct text_cell *cell)
{
	size_t left = strlen(text);

	while (left) {
		size_t written, taken = utf8_plain_bytes(text);
		int columns;

		if (taken) {
			if (!append_plain(buffer, text, taken, cell))
				return false;
		} else {
			if (!reserve(buffer, UTF8_ESCAPE_BYTES))
				return false;
			taken = utf8_escape(text, left, buffer->data + buffer->used, &written, &columns);
			buffer->used += written;
			cell->bytes += written;
			cell->columns += (size_t)columns;
		}
		text += taken;
		left -= taken;
	}
	return true;
}

static bool append_indent(struct text_buffer *buffer, size_t indent, struct text_cell *cell)
{
	if (!reserve(buffer, indent))
		return false;
	if (indent)
		memset(buffer->data + buffer->used, ' ', indent);
	buffer->used += indent;
	cell->bytes += indent;
	cell->columns += indent;
	return true;
}

/* Aligns the ends of units with one and two letters, and thus the digits: "1.234  s" above "1.234 ms". */
static void align_unit(char text[UNITS_TEXT_BYTES])
{
	char *space = strrchr(text, ' ');
	size_t bytes = strlen(text);

	if (space && strlen(space) == 2 && bytes + 1 < UNITS_TEXT_BYTES)
		memmove(space + 1, space, strlen(space) + 1);
}

static void format_number(char text[UNITS_TEXT_BYTES], enum unit unit, const struct cell *cell)
{
	switch (unit) {
	case UNIT_COUNT:
	case UNIT_INDENT:
		units_format_count(text, cell->count);
		break;
	case UNIT_TICKS:
		units_format_count(text, cell->count);
		break;
	case UNIT_TICKS_SIGNED:
		*text = '-';
		units_format_count(text + (cell->signed_count < 0),
			cell->signed_count < 0 ? -(uint64_t)cell->signed_count : (uint64_t)cell->signed_count);
		break;
	case UNIT_NS:
		*text = '<';
		units_format_ns(text + (cell->count < cell->step_ns), cell->count < cell->step_ns ? cell->step_ns : cell->count);
		align_unit(text);
		break;
	case UNIT_NS_SIGNED:
		units_format_ns_signed(text, cell->signed_count);
		align_unit(text);
		break;
	case UNIT_BYTES:
		units_format_bytes(text, cell->count);
		align_unit(text);
		break;
	case UNIT_PERCENT:
		units_format_percent(text, cell->real);
		break;
	case UNIT_PERCENT_CHANGE:
		units_format_change(text, cell->real, "%");
		break;
	case UNIT_POINTS:
		units_format_change(text, cell->real, "pp");
		break;
	case UNIT_POINTS_UNSIGNED:
		snprintf(text, UNITS_TEXT_BYTES, "%.2f pp", cell->real);
		break;
	case UNIT_MEAN:
		snprintf(text, UNITS_TEXT_BYTES, "%.2f", cell->real);
		break;
	case UNIT_NS_MEAN:
		units_format_ns(text, real_to_u64(cell->real));
		if (cell->real < NS_WITH_FRACTION)
			snprintf(text, UNITS_TEXT_BYTES, "%.1f ns", cell->real);
		align_unit(text);
		break;
	case UNIT_ADDRESS:
		snprintf(text, UNITS_TEXT_BYTES, "0x%llx", (unsigned long long)cell->count);
		break;
	case UNIT_TEXT:
	case UNIT_NAME:
	case UNIT_BAR:
		break;
	}
}

static bool append_bar(struct text_buffer *buffer, double part, struct text_cell *cell)
{
	if (!reserve(buffer, sizeof part))
		return false;
	memcpy(buffer->data + buffer->used, &part, sizeof part);
	buffer->used += sizeof part;
	cell->bytes = sizeof part;
	cell->columns = TEXT_CELL_BAR_COLUMNS;
	return true;
}

static bool append_cell(struct text_buffer *buffer, enum unit unit, const struct cell *cell, size_t indent, struct text_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	if (!append_indent(buffer, indent, out))
		return false;
	if (cell->absent)
		return append_plain(buffer, "-", 1, out);
	if (cell->unsure && !append_plain(buffer, "~", 1, out))
		return false;
	if (unit == UNIT_BAR) /* the bar's length depends on the column's width, still unknown here */
		return append_bar(buffer, cell->real, out);
	if (text_cell_is_left(unit))
		return append_escaped(buffer, cell->text, out);
	format_number(text, unit, cell);
	return append_plain(buffer, text, strlen(text), out);
}

bool text_cell_format(struct text_buffer *buffer, enum unit unit, const struct cell *cell, size_t indent, struct text_cell *out)
{
	size_t before = buffer->used;

	*out = (struct text_cell){.offset = before};
	if (append_cell(buffer, unit, cell, indent, out))
		return true;
	buffer->used = before;
	*out = (struct text_cell){.offset = before};
	return false;
}

size_t text_cell_draw_bar(char *out, double part, size_t columns, bool ascii)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	double wanted = part < 0 ? 0 : part > 1 ? (double)columns : part * (double)columns;
	size_t steps = ascii ? 1 : 8, length = (size_t)(wanted * (double)steps + 0.5), bytes = 0;

	if (!length && part > 0) /* a value above 0 always shows */
		length = 1;
	for (size_t i = 0; i < length / steps; i++) {
		memcpy(out + bytes, ascii ? "#" : "█", ascii ? 1 : 3);
		bytes += ascii ? 1 : 3;
	}
	if (length % steps) {
		memcpy(out + bytes, eighths[length % steps], 3);
		bytes += 3;
	}
	return bytes;
}

size_t text_cell_fit(
	const struct column *column, const char *text, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns)
{
	if (column->cut_end)
		return fit_start(text, bytes, limit, ascii, out, columns);
	if (column->unit == UNIT_NAME)
		return fit_name(text, bytes, limit, ascii, out, columns);
	return fit_ends(text, bytes, limit, ascii, out, columns);
}
