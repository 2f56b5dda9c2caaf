/* SPDX-License-Identifier: MIT */
#include "classic/core/box.h"

#include "core/ratio.h"

#define BAR_COLUMNS 35

void dwell_box_rule(const struct dwell_put *put, const size_t *widths, bool has_bars)
{
	for (; *widths; widths++) {
		dwell_put_text(put, "+");
		dwell_put_repeat(put, '-', *widths + 2);
	}
	if (has_bars) {
		dwell_put_text(put, "+");
		dwell_put_repeat(put, '-', BAR_COLUMNS);
	}
	dwell_put_text(put, "+\n");
}

static void put_centred(const struct dwell_put *put, const char *text, size_t width)
{
	size_t columns = dwell_put_columns(text), room = width > columns ? width - columns : 0;

	dwell_put_repeat(put, ' ', room / 2);
	dwell_put_text(put, text);
	dwell_put_repeat(put, ' ', room - room / 2);
}

void dwell_box_head(const struct dwell_put *put, const size_t *widths, const char *const *titles, bool has_bars)
{
	dwell_box_rule(put, widths, has_bars);
	dwell_put_text(put, "|");
	dwell_put_right(put, titles[0], widths[0] + 1);
	dwell_put_text(put, " ");
	for (size_t i = 1; widths[i]; i++) {
		dwell_put_text(put, "|");
		put_centred(put, titles[i], widths[i] + 2);
	}
	if (has_bars) {
		dwell_put_text(put, "|");
		put_centred(put, "Barchart", BAR_COLUMNS);
	}
	dwell_put_text(put, "|\n");
	dwell_box_rule(put, widths, has_bars);
}

void dwell_box_begin(const struct dwell_put *put)
{
	dwell_put_text(put, "| ");
}

void dwell_box_next(const struct dwell_put *put)
{
	dwell_put_text(put, " | ");
}

void dwell_box_end(const struct dwell_put *put, bool has_bars, uintptr_t count, uintptr_t largest)
{
	dwell_put_text(put, " |");
	if (has_bars) {
		size_t stars = largest ? dwell_ratio_truncate(count, BAR_COLUMNS, largest) : 0;

		dwell_put_repeat(put, '*', stars);
		dwell_put_repeat(put, ' ', BAR_COLUMNS - stars);
		dwell_put_text(put, "|");
	}
	dwell_put_text(put, "\n");
}
