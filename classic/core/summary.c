/* SPDX-License-Identifier: MIT */
#include "classic/core/summary.h"

#include "classic/core/box.h"
#include "core/ratio.h"
#include "classic/core/sort.h"

#define PERCENT_COLUMNS 7

/* What both parts of the report take from the tally. */
struct view {
	const struct dwell_summary *summary;
	const struct dwell_put *put;
	const struct dwell_tally *tally;
	uintptr_t hits;          /* samples in the program */
	size_t rows;             /* rows in order */
	size_t shown;            /* rows up to the cutoff */
	size_t seen;             /* rows with samples */
	size_t rank_columns, name_columns, count_columns;
};

static const char *name_of(const struct dwell_tally *tally, size_t index)
{
	return index < tally->count ? tally->names[index] : "?";
}

/* Whether several symbols have the name, and the symbol has samples. */
static bool has_address(const struct dwell_tally *tally, size_t index)
{
	return index < tally->count && tally->counts[index] && !dwell_tally_is_alone(tally, index);
}

static uintptr_t address_of(const struct view *view, size_t index)
{
	return view->summary->base + view->tally->starts[index];
}

static size_t columns_of_name(const struct view *view, size_t index)
{
	size_t columns = dwell_put_columns(name_of(view->tally, index));

	if (has_address(view->tally, index)) {
		columns += 2; /* @ and a digit */
		for (uintptr_t address = address_of(view, index); address >>= 4;)
			columns++;
	}
	return columns;
}

/* Writes the name, right-aligned; name@address if several symbols have the name. */
static void put_name(const struct view *view, size_t index, size_t width)
{
	size_t columns = columns_of_name(view, index);

	dwell_put_repeat(view->put, ' ', columns < width ? width - columns : 0);
	dwell_put_text(view->put, name_of(view->tally, index));
	if (!has_address(view->tally, index))
		return;
	dwell_put_text(view->put, "@");
	dwell_put_hex(view->put, address_of(view, index), 1);
}

/* More samples first, then by name. */
static bool is_before(const void *context, size_t a, size_t b)
{
	const struct dwell_tally *tally = context;
	size_t left = tally->order[a], right = tally->order[b];
	const char *p = name_of(tally, left), *q = name_of(tally, right);

	if (tally->counts[left] != tally->counts[right])
		return tally->counts[left] > tally->counts[right];
	for (; *p && *p == *q; p++)
		q++;
	return (unsigned char)*p < (unsigned char)*q;
}

static void swap(void *context, size_t a, size_t b)
{
	struct dwell_tally *tally = context;
	uintptr_t kept = tally->order[a];

	tally->order[a] = tally->order[b];
	tally->order[b] = kept;
}

static size_t columns_of(uintptr_t number, size_t at_least)
{
	size_t columns = 1;

	while (number /= 10)
		columns++;
	return columns > at_least ? columns : at_least;
}

/* Adds the samples in holes to the samples before the first symbol. */
static void gather_nobodys(struct dwell_tally *tally)
{
	for (size_t i = 0; i < tally->count; i++) {
		if (!tally->names[i]) {
			tally->counts[tally->count] += tally->counts[i];
			tally->counts[i] = 0;
		}
	}
}

static bool is_shown(const struct view *view, size_t row)
{
	return row < view->shown || (row >= view->seen && view->summary->options->has_unseen);
}

static struct view make_view(const struct dwell_summary *summary, const struct dwell_put *put)
{
	struct dwell_tally *tally = summary->tally;
	struct view view = {.summary = summary, .put = put, .tally = tally, .name_columns = 10};
	uintptr_t sum = 0, cutoff = summary->options->cutoff_percent, wanted;

	gather_nobodys(tally);
	for (size_t i = 0; i <= tally->count; i++) {
		if (i < tally->count ? tally->names[i] != NULL : tally->counts[i] != 0)
			tally->order[view.rows++] = i;
		view.hits += tally->counts[i];
	}
	dwell_sort(&(struct dwell_sort){is_before, swap, tally}, view.rows);
	while (view.seen < view.rows && tally->counts[tally->order[view.seen]])
		view.seen++;
	/* The first sum that is not below cutoff percent of hits. */
	wanted = view.hits / 100 * cutoff + (view.hits % 100 * cutoff + 99) / 100;
	while (view.shown < view.seen && sum < wanted)
		sum += tally->counts[tally->order[view.shown++]];
	view.rank_columns = columns_of(view.rows, 3);
	view.count_columns = columns_of(view.rows ? tally->counts[tally->order[0]] : 0, 7);
	for (size_t row = 0; row < view.rows; row++) {
		if (is_shown(&view, row)) {
			size_t columns = columns_of_name(&view, tally->order[row]);

			if (columns > view.name_columns)
				view.name_columns = columns;
		}
	}
	return view;
}

/* A part of all in hundredths of a percent; 0 if all is 0. */
static uintptr_t percent(uintptr_t part, uintptr_t all)
{
	return all ? dwell_ratio_round(part, 10000, all) : 0;
}

static void put_share(const struct dwell_put *put, const char *what, uintptr_t count, uintptr_t all)
{
	dwell_put_text(put, what);
	dwell_put_number(put, count, 8);
	dwell_put_text(put, "  (");
	dwell_put_hundredths(put, percent(count, all), 5);
	dwell_put_text(put, " %)\n");
}

static void put_totals(const struct view *view)
{
	const struct dwell_put *put = view->put;
	uintptr_t all = view->hits + view->tally->system, ticks = view->summary->ticks;

	dwell_put_text(put, "Profile of '");
	dwell_put_text(put, view->summary->program);
	dwell_put_text(put, " ");
	dwell_put_text(put, view->summary->arguments);
	dwell_put_text(put, "'\n\nThere are ");
	dwell_put_number(put, dwell_tally_symbols(view->tally), 0);
	dwell_put_text(put, " symbols\n\n");
	put_share(put, "Samples in appl: ", view->hits, all);
	put_share(put, "Samples in sys : ", view->tally->system, all);
	dwell_put_text(put, "\nNum. of samples: ");
	dwell_put_number(put, all, 8);
	dwell_put_text(put, "\n\nRun lasted ");
	dwell_put_number(put, ticks, 0);
	dwell_put_text(put, " clock ticks (");
	dwell_put_number(put, ticks / DWELL_SUMMARY_TICK_HZ, 0);
	dwell_put_text(put, " seconds)\nSamples per second: ");
	if (ticks)
		dwell_put_hundredths(put, dwell_ratio_round(all, DWELL_SUMMARY_TICK_HZ * 100, ticks), 0);
	else
		dwell_put_text(put, "-"); /* the program ended before the clock's first tick */
	dwell_put_text(put, "\nCutoff at ");
	dwell_put_number(put, view->summary->options->cutoff_percent, 0);
	dwell_put_text(put, " percent\n\n");
}

static void put_table(const struct view *view)
{
	static const char *const titles[] = {"#", "Symbol", "Count", "Percent"};
	const size_t widths[] = {view->rank_columns, view->name_columns, view->count_columns, PERCENT_COLUMNS, 0};
	const struct dwell_tally *tally = view->tally;
	const struct dwell_put *put = view->put;
	bool has_bars = view->summary->options->has_bars;

	dwell_box_head(put, widths, titles, has_bars);
	for (size_t row = 0; row < view->rows; row++) {
		size_t index = tally->order[row];

		if (!is_shown(view, row))
			continue;
		dwell_box_begin(put);
		dwell_put_number(put, row + 1, widths[0]);
		dwell_box_next(put);
		put_name(view, index, widths[1]);
		dwell_box_next(put);
		dwell_put_number(put, tally->counts[index], widths[2]);
		dwell_box_next(put);
		dwell_put_hundredths(put, percent(tally->counts[index], view->hits), widths[3]);
		dwell_box_end(put, has_bars, tally->counts[index], tally->counts[tally->order[0]]);
	}
	dwell_box_rule(put, widths, has_bars);
}

/* Writes the interval of a percentage, from and to; "-" without samples. */
static void put_interval(const struct view *view, bool is_detail, size_t index, uintptr_t hits, uintptr_t all)
{
	const struct dwell_summary *summary = view->summary;
	const struct dwell_put *put = view->put;
	uintptr_t low, high;

	if (!all) {
		dwell_put_right(put, "-", PERCENT_COLUMNS);
		dwell_box_next(put);
		dwell_put_right(put, "-", PERCENT_COLUMNS);
		return;
	}
	if (!summary->get_interval || !summary->get_interval(summary->context, is_detail, index, &low, &high))
		dwell_ratio_interval(hits, all, &low, &high);
	dwell_put_hundredths(put, low, PERCENT_COLUMNS);
	dwell_box_next(put);
	dwell_put_hundredths(put, high, PERCENT_COLUMNS);
}

static void put_detail(const struct view *view)
{
	static const char *const titles[] = {"#", "Address", "Bytes", "Count", "Percent", "From", "To"};
	const size_t widths[] = {3, 8, 5, view->count_columns, PERCENT_COLUMNS, PERCENT_COLUMNS, PERCENT_COLUMNS, 0};
	const struct dwell_tally *tally = view->tally;
	const struct dwell_put *put = view->put;
	bool has_bars = view->summary->options->has_bars;
	uintptr_t hits = tally->counts[tally->split], largest = 0, end = dwell_tally_end(tally, tally->split);

	dwell_put_text(put, "\nDetail of '");
	put_name(view, tally->split, 0);
	dwell_put_text(put, "': ");
	dwell_put_number(put, end - tally->starts[tally->split], 0);
	dwell_put_text(put, " bytes in ");
	dwell_put_number(put, tally->split_count, 0);
	dwell_put_text(put, tally->split_count == 1 ? " interval, " : " intervals, ");
	dwell_put_number(put, hits, 0);
	dwell_put_text(put, hits == 1 ? " sample; with" : " samples; with");
	dwell_put_text(put, " 95 % certainty from, to\n\n");
	for (size_t i = 0; i < tally->split_count; i++)
		if (tally->split_counts[i] > largest)
			largest = tally->split_counts[i];
	dwell_box_head(put, widths, titles, has_bars);
	for (size_t i = 0; i < tally->split_count; i++) {
		uintptr_t start = tally->split_starts[i], count = tally->split_counts[i];

		dwell_box_begin(put);
		dwell_put_number(put, i + 1, widths[0]);
		dwell_box_next(put);
		dwell_put_hex(put, view->summary->base + start, widths[1]);
		dwell_box_next(put);
		dwell_put_number(put, (i + 1 < tally->split_count ? tally->split_starts[i + 1] : end) - start, widths[2]);
		dwell_box_next(put);
		dwell_put_number(put, count, widths[3]);
		dwell_box_next(put);
		dwell_put_hundredths(put, percent(count, hits), widths[4]);
		dwell_box_next(put);
		put_interval(view, true, i, count, hits);
		dwell_box_end(put, has_bars, count, largest);
	}
	dwell_box_rule(put, widths, has_bars);
}

void dwell_summary_put(const struct dwell_summary *summary, const struct dwell_put *put)
{
	struct view view = make_view(summary, put);

	put_totals(&view);
	put_table(&view);
	if (view.tally->split != DWELL_TALLY_NONE)
		put_detail(&view);
	dwell_put_text(put, "\n\nEnd of profile\n");
}

static void put_doubt(const struct dwell_put *put, const char *doubt)
{
	if (!doubt)
		return;
	dwell_put_text(put, "\n");
	dwell_put_text(put, doubt);
	dwell_put_text(put, "\n");
}

void dwell_summary_put_errors(const struct dwell_summary *summary, const struct dwell_put *put)
{
	static const char *const titles[] = {"#", "Symbol", "Percent", "From", "To"};
	struct view view = make_view(summary, put);
	const size_t widths[] = {view.rank_columns, view.name_columns, PERCENT_COLUMNS, PERCENT_COLUMNS, PERCENT_COLUMNS, 0};
	uintptr_t low, high;

	if (!view.hits) {
		dwell_put_text(put, "\n\nNo samples in the program: nothing is known of its symbols\n");
		put_doubt(put, summary->doubt);
		return;
	}
	if (summary->is_false) {
		dwell_put_text(put, "\n");
		put_doubt(put, summary->doubt);
		return;
	}
	dwell_put_text(put, "\n\nWhat ");
	dwell_put_number(put, view.hits, 0);
	dwell_put_text(put, view.hits == 1 ? " sample tells: with" : " samples tell: with");
	dwell_put_text(put, " 95 % certainty the percentages are\n\n");
	dwell_box_head(put, widths, titles, false);
	for (size_t row = 0; row < view.seen; row++) {
		size_t index = view.tally->order[row];

		if (!is_shown(&view, row))
			continue;
		dwell_box_begin(put);
		dwell_put_number(put, row + 1, widths[0]);
		dwell_box_next(put);
		put_name(&view, index, widths[1]);
		dwell_box_next(put);
		dwell_put_hundredths(put, percent(view.tally->counts[index], view.hits), widths[2]);
		dwell_box_next(put);
		put_interval(&view, false, index, view.tally->counts[index], view.hits);
		dwell_box_end(put, false, 0, 0);
	}
	dwell_box_rule(put, widths, false);
	put_doubt(put, summary->doubt);
	if (summary->doubt)
		return;
	dwell_ratio_interval(0, view.hits, &low, &high);
	dwell_put_text(put, "\nA symbol that was never hit has at most ");
	dwell_put_hundredths(put, high, 0);
	dwell_put_text(put, " percent\n");
}
