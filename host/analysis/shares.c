/* shares: sorts the functions by share and writes the rows. */
#include "analysis/shares.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/unique_names.h"
#include "analysis/by.h"
#include "analysis/report_columns.h"
#include "model/profile/estimate.h"

struct row {
	uint32_t id;
	const char *name;
	uint64_t samples, self, total, calls;
	struct estimate_share share;
};

static int find_column(const char *key)
{
	static const struct {
		const char *key;
		enum report_column column;
	} keys[] = {{"function", REPORT_NAME}, {"samples", REPORT_SAMPLES}, {"self", REPORT_PERCENT}, {"self_percent", REPORT_PERCENT},
		{"total", REPORT_TOTAL_PERCENT}, {"total_percent", REPORT_TOTAL_PERCENT}, {"calls", REPORT_CALLS}, {"self_per_call", REPORT_SELF_PER_CALL}};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(key, keys[i].key))
			return keys[i].column;
	return -1;
}

bool analysis_shares_can_sort(const char *key)
{
	return find_column(key) >= 0;
}

const char *analysis_shares_sort_keys(void)
{
	return "function, samples, self_percent, total_percent; with calls, calls and self_per_call";
}

static double get_number(const struct row *row, int column)
{
	switch (column) {
	case REPORT_SAMPLES:
		return (double)row->samples;
	case REPORT_TOTAL_PERCENT:
		return (double)row->total;
	case REPORT_CALLS:
		return (double)row->calls;
	case REPORT_SELF_PER_CALL:
		return row->calls ? (double)row->self / (double)row->calls : 0;
	}
	return (double)row->self;
}

/* Rows of equal numbers: functions with self time first, then by falling total. Functions that only call others are last. */
static int compare(const void *a, const void *b, void *context)
{
	const struct row *left = a, *right = b;
	int column = *(const int *)context, names;
	const int columns[] = {column, REPORT_PERCENT, REPORT_TOTAL_PERCENT};

	for (size_t i = 0; column != REPORT_NAME && i < sizeof columns / sizeof *columns; i++) {
		double x = get_number(left, columns[i]), y = get_number(right, columns[i]);

		if (x != y)
			return x < y ? 1 : -1;
	}
	names = strcmp(left->name, right->name);
	return names ? names : left->id < right->id ? -1 : left->id > right->id;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Only samples whose weight is a time tell the time of a call. */
static bool has_column(const struct profile *profile, enum report_column column)
{
	if (column == REPORT_SELF_PER_CALL)
		return profile->counts_calls && !strcmp(profile->unit, "ns");
	return column != REPORT_CALLS || profile->counts_calls;
}

/* The column "=" compares neighbours, so only rows sorted by share have it. */
static struct report_view make_view(const struct profile *profile, int column)
{
	static const enum report_column shown[] = {REPORT_SAMPLES, REPORT_PERCENT, REPORT_LOW, REPORT_HIGH, REPORT_TOTAL_PERCENT,
		REPORT_CALLS, REPORT_SELF_PER_CALL, REPORT_ALIKE, REPORT_NAME};
	struct report_view view = {0};

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (has_column(profile, shown[i]) && (shown[i] != REPORT_ALIKE || column == REPORT_PERCENT))
			report_show(&view, shown[i]);
	return view;
}

static void set_cells(const struct analysis_shares *what, const struct row *row, bool alike, struct cell cells[REPORT_CELL_COUNT])
{
	report_clear(cells);
	cells[REPORT_NAME] = (struct cell){.text = row->name, .function = row->id + 1};
	report_set_count(&cells[REPORT_SAMPLES], row->samples);
	report_set_real(&cells[REPORT_PERCENT], 100 * row->share.share);
	report_set_real(&cells[REPORT_LOW], 100 * row->share.low);
	report_set_real(&cells[REPORT_HIGH], 100 * row->share.high);
	report_set_real(&cells[REPORT_TOTAL_PERCENT], percent(row->total, what->profile->total));
	cells[REPORT_ALIKE] = (struct cell){.text = alike ? "=" : ""};
	if (row->calls && has_column(what->profile, REPORT_CALLS))
		report_set_count(&cells[REPORT_CALLS], row->calls);
	/* No sample of a function tells nothing about its calls. */
	if (row->calls && row->self && has_column(what->profile, REPORT_SELF_PER_CALL))
		report_set_real(&cells[REPORT_SELF_PER_CALL], (double)row->self / (double)row->calls);
}

static void write_rows(
	const struct analysis_shares *what, const struct row *rows, size_t count, int column, const struct table_sink *sink)
{
	struct report_view view = make_view(what->profile, column);

	report_begin(&view, sink);
	for (size_t i = 0; i < count && i < what->limit; i++) {
		bool alike = column == REPORT_PERCENT && i && !estimates_differ(&rows[i].share, &rows[i - 1].share);
		struct cell cells[REPORT_CELL_COUNT];

		set_cells(what, &rows[i], alike, cells);
		report_row(&view, cells, sink);
	}
	sink->end(sink->context);
	if (what->rest && what->limit < count)
		*what->rest = (struct table_rest){.rows = count - what->limit, .of = by_self_title(what->profile, false)};
	for (size_t i = count - (what->rest ? what->rest->rows : 0); i < count; i++)
		what->rest->percent += 100 * rows[i].share.share;
}

bool analysis_shares(const struct analysis_shares *what, const struct table_sink *sink)
{
	const struct profile *profile = what->profile;
	struct row *rows = calloc(profile->function_count ? profile->function_count : 1, sizeof *rows);
	struct named_row *names = calloc(profile->function_count ? profile->function_count : 1, sizeof *names);
	int column = what->sort ? find_column(what->sort) : REPORT_PERCENT;
	size_t count = 0;

	if (!rows || !names) {
		free(rows);
		free(names);
		return false;
	}
	for (size_t id = 0; id < profile->function_count; id++) {
		const struct profile_function *function = &profile->functions[id];

		if (!function->total && !function->self && !function->calls)
			continue;
		names[count] = (struct named_row){.id = (uint32_t)id, .row = &rows[count]};
		rows[count++] = (struct row){
			.id = (uint32_t)id,
			.samples = id < profile->estimates.count ? profile->estimates.functions[id].samples : 0,
			.self = function->self,
			.total = function->total,
			.calls = function->calls,
			.share = estimates_get_share(&profile->estimates, (uint32_t)id, (double)function->self),
		};
	}
	if (column < 0)
		column = REPORT_PERCENT;
	unique_names(what->functions, names, count);
	for (size_t i = 0; i < count; i++)
		((struct row *)names[i].row)->name = names[i].name;
	if (count)
		qsort_r(rows, count, sizeof *rows, compare, &column);
	write_rows(what, rows, count, column, sink);
	free_named_rows(names, count);
	free(names);
	free(rows);
	return true;
}
