/* shares: see shares.h. */
#include "analysis/shares.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/apart.h"
#include "model/estimate.h"

/* The name comes first for scripts and last for people, as in functions.c. */
enum { NAME, SAMPLES, SELF, LOW, HIGH, TOTAL, CALLS, ALIKE, NAME_AT_END, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[SAMPLES] = {.key = "samples", .title = "samples", .unit = UNIT_COUNT},
	[SELF] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT},
	[LOW] = {.key = "self_low", .title = "from", .unit = UNIT_PERCENT},
	[HIGH] = {.key = "self_high", .title = "to", .unit = UNIT_PERCENT},
	[TOTAL] = {.key = "total_percent", .title = "total %", .unit = UNIT_PERCENT},
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT}, /* left out where nobody counted them */
	[ALIKE] = {.key = "alike", .title = "", .unit = UNIT_TEXT, .text_only = true},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
};

struct row {
	uint32_t id;
	const char *name;
	uint64_t samples, self, total, calls;
	struct estimate_share share;
};

static int find_column(const char *key)
{
	if (!strcmp(key, "self"))
		return SELF;
	if (!strcmp(key, "total"))
		return TOTAL;
	for (int i = NAME; i <= CALLS; i++)
		if (i != LOW && i != HIGH && !strcmp(key, columns[i].key))
			return i;
	return -1;
}

bool analysis_shares_can_sort(const char *key)
{
	return find_column(key) >= 0;
}

const char *analysis_shares_sort_keys(void)
{
	return "function, samples, self_percent, total_percent";
}

static uint64_t get_number(const struct row *row, int column)
{
	switch (column) {
	case SAMPLES:
		return row->samples;
	case TOTAL:
		return row->total;
	case CALLS:
		return row->calls;
	}
	return row->self;
}

static int compare(const void *a, const void *b, void *context)
{
	const struct row *left = a, *right = b;
	int column = *(const int *)context, names;
	uint64_t x = get_number(left, column), y = get_number(right, column);

	if (column != NAME && x != y)
		return x < y ? 1 : -1;
	names = strcmp(left->name, right->name);
	return names ? names : left->id < right->id ? -1 : left->id > right->id;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void write_rows(const struct analysis_shares *what, const struct row *rows, size_t count, int column, const struct table_sink *sink)
{
	struct column shown[COLUMN_COUNT];
	uint32_t after = what->profile->counts_calls ? COLUMN_COUNT : CALLS; /* from there on cells are one column further left */

	memcpy(shown, columns, sizeof shown);
	if (after < COLUMN_COUNT)
		memmove(shown + after, shown + after + 1, (COLUMN_COUNT - after - 1) * sizeof *shown);
	sink->begin(sink->context, "report", shown, COLUMN_COUNT - (after < COLUMN_COUNT));
	for (size_t i = 0; i < count && i < what->limit; i++) {
		/* Only rows in order of the share are next to what they could be confused with. */
		bool alike = column == SELF && i && !estimates_can_tell(&rows[i].share, &rows[i - 1].share);
		struct cell cells[COLUMN_COUNT] = {
			[SAMPLES] = {.count = rows[i].samples},
			[SELF] = {.real = 100 * rows[i].share.share},
			[LOW] = {.real = 100 * rows[i].share.low},
			[HIGH] = {.real = 100 * rows[i].share.high},
			[TOTAL] = {.real = percent(rows[i].total, what->profile->total)},
			[CALLS] = {.count = rows[i].calls},
			[ALIKE] = {.text = alike ? "=" : ""},
		};

		cells[NAME].text = cells[NAME_AT_END].text = rows[i].name;
		cells[NAME].function = cells[NAME_AT_END].function = rows[i].id + 1;
		if (after < COLUMN_COUNT)
			memmove(cells + after, cells + after + 1, (COLUMN_COUNT - after - 1) * sizeof *cells);
		sink->row(sink->context, cells);
	}
	sink->end(sink->context);
}

bool analysis_shares(const struct analysis_shares *what, const struct table_sink *sink)
{
	const struct profile *profile = what->profile;
	struct row *rows = calloc(profile->function_count ? profile->function_count : 1, sizeof *rows);
	struct apart *names = calloc(profile->function_count ? profile->function_count : 1, sizeof *names);
	int column = what->sort ? find_column(what->sort) : SELF;
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
		names[count] = (struct apart){.id = (uint32_t)id, .row = &rows[count]};
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
		column = SELF;
	apart_names(what->functions, names, count);
	for (size_t i = 0; i < count; i++)
		((struct row *)names[i].row)->name = names[i].name;
	if (count)
		qsort_r(rows, count, sizeof *rows, compare, &column);
	write_rows(what, rows, count, column, sink);
	free_apart(names, count);
	free(names);
	free(rows);
	return true;
}
