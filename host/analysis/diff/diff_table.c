/* diff_table: sorts the rows of a diff, and writes the table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff_inner.h"

/* CSV and JSON get all measures, always in the same columns. People get the chosen measure, and the change of a second measure.
 * FIRST is the first column of the first measure; OLD … P are the columns of each measure, counted from 0. */
enum { NAME, VERDICT, FIRST, OLD = 0, NEW, CHANGE, LOW, HIGH, CAN_SHOW, P, PER_MEASURE };
#define DATA_COLUMNS (FIRST + DIFF_MEASURES * PER_MEASURE)
enum { P_OLD, P_NEW, P_CHANGE, P_LOW, P_HIGH, P_CAN_SHOW, P_OTHER, P_VERDICT, P_NAME, PEOPLE_COLUMNS };
#define COLUMNS (DATA_COLUMNS + PEOPLE_COLUMNS)

static const char *const keys[DIFF_MEASURES][PER_MEASURE] = {
	[DIFF_SHARE] = {"old_percent", "new_percent", "percent_change", "percent_low", "percent_high", "percent_provable", "percent_p"},
	[DIFF_TIME] = {"old_ns", "new_ns", "ns_change", "ns_low", "ns_high", "ns_provable", "ns_p"},
	[DIFF_CALLS] = {"old_calls", "new_calls", "calls_change", "calls_low", "calls_high", "calls_provable", "calls_p"},
	[DIFF_TOTAL] = {"old_total_ns", "new_total_ns", "ns_total_change", "ns_total_low", "ns_total_high", "ns_total_provable", "ns_total_p"},
};

static const char *const verdicts[] = {
	[COMPARE_CANNOT_TELL] = "cannot tell", [COMPARE_ROSE] = "rose", [COMPARE_FELL] = "fell"};

static enum unit unit_of(int measure, int column)
{
	if (measure == DIFF_TIME || measure == DIFF_TOTAL)
		return column == P ? UNIT_PERCENT : column >= CHANGE && column <= HIGH ? UNIT_NS_SIGNED : UNIT_NS;
	/* mean calls are rounded; their change is in percent */
	return measure == DIFF_CALLS && column <= NEW ? UNIT_COUNT : UNIT_PERCENT;
}

/* Shares change by percentage points, times and calls by a part of the old value. */
static enum unit change_unit(enum diff_measure measure)
{
	return measure == DIFF_SHARE ? UNIT_POINTS : UNIT_PERCENT_CHANGE;
}

static enum unit unit_for_people(enum diff_measure by, int column)
{
	if (column <= P_NEW)
		return unit_of((int)by, column);
	if (column < P_CAN_SHOW)
		return change_unit(by);
	return by == DIFF_SHARE ? UNIT_POINTS_UNSIGNED : UNIT_PERCENT;
}

/* knows_errors: at least one change has an error; else tables for people have no columns for errors. */
static void make_columns(struct column *columns, enum diff_measure by, bool knows_errors)
{
	static const char *const titles[] = {"old", "new", "change", "from", "to", "can show"};

	columns[NAME] = (struct column){.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true};
	columns[VERDICT] = (struct column){.key = "verdict", .title = "verdict", .unit = UNIT_TEXT, .data_only = true};
	for (int m = 0; m < DIFF_MEASURES; m++)
		for (int i = 0; i < PER_MEASURE; i++)
			columns[FIRST + m * PER_MEASURE + i] =
				(struct column){.key = keys[m][i], .title = keys[m][i], .unit = unit_of(m, i), .data_only = true};
	for (int i = P_OLD; i <= P_CAN_SHOW; i++)
		columns[DATA_COLUMNS + i] = (struct column){.key = titles[i],
			.title = titles[i],
			.unit = unit_for_people(by, i),
			.text_only = true,
			.data_only = i > P_CHANGE && !knows_errors,
			.spare = i == P_CAN_SHOW};
	columns[DATA_COLUMNS + P_OTHER] = (struct column){.key = "other", .title = by == DIFF_TIME ? "share" : "time", .unit = change_unit(by == DIFF_TIME ? DIFF_SHARE : DIFF_TIME),
		.text_only = true, .spare = 2};
	columns[DATA_COLUMNS + P_VERDICT] = (struct column){.key = "verdict", .title = "", .unit = UNIT_TEXT, .text_only = true};
	columns[DATA_COLUMNS + P_NAME] = (struct column){.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true};
}

static struct cell number(enum unit unit, double value)
{
	switch (unit) {
	case UNIT_NS_SIGNED:
		return (struct cell){.signed_count = (int64_t)fmax(-9e18, fmin(9e18, round(value)))};
	case UNIT_NS:
	case UNIT_COUNT:
		return (struct cell){.count = (uint64_t)fmax(0, fmin(1.8e19, round(value)))};
	default:
		return (struct cell){.real = value};
	}
}

static void fill_data(struct cell *cells, const struct compared *of, int measure, bool has)
{
	const double values[PER_MEASURE] = {
		of->mean[COMPARE_OLD], of->mean[COMPARE_NEW], of->change, of->low, of->high, of->can_show, of->p};

	for (int i = 0; i < PER_MEASURE; i++) {
		double scale = measure == DIFF_SHARE || i == P ? 100 : 1;

		cells[i] = number(unit_of(measure, i), values[i] * scale);
		cells[i].absent = !has || (i > CHANGE && !of->is_known);
	}
}

static double for_people(const struct compared *of, enum diff_measure measure, double value)
{
	return 100 * value / (measure == DIFF_SHARE ? 1 : of->mean[COMPARE_OLD]);
}

static void fill_people(struct cell *cells, const struct diff *diff, size_t row, enum diff_measure by)
{
	const struct compared *of = &diff->compared[by][row];
	enum diff_measure other = by == DIFF_TIME ? DIFF_SHARE : DIFF_TIME;
	const struct compared *others = &diff->compared[other][row];
	const double values[] = {of->mean[COMPARE_OLD], of->mean[COMPARE_NEW], of->change, of->low, of->high, of->can_show};

	for (int i = P_OLD; i <= P_CAN_SHOW; i++) {
		bool is_new = by != DIFF_SHARE && i >= P_CHANGE && of->mean[COMPARE_OLD] <= 0;

		if (i <= P_NEW)
			cells[i] = number(unit_of((int)by, i), values[i] * (by == DIFF_SHARE ? 100 : 1));
		else
			cells[i].real = is_new ? 0 : for_people(of, by, values[i]);
		cells[i].absent = is_new || (i > P_CHANGE && !of->is_known);
	}
	cells[P_OTHER].absent = !diff_has_measure(diff, other) || (other != DIFF_SHARE && others->mean[COMPARE_OLD] <= 0);
	if (!cells[P_OTHER].absent)
		cells[P_OTHER].real = for_people(others, other, others->change);
	cells[P_VERDICT].text = of->verdict == COMPARE_CANNOT_TELL && !of->is_known ? "one run" : verdicts[of->verdict];
	cells[P_NAME].text = diff->rows[row].longer ? diff->rows[row].longer : diff->rows[row].name;
}

struct order {
	const struct diff *diff;
	const struct compared *of;
	size_t row;
};

static int compare_rows(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	bool proven[] = {x->of->verdict != COMPARE_CANNOT_TELL, y->of->verdict != COMPARE_CANNOT_TELL};
	double sizes[] = {fabs(x->of->change), fabs(y->of->change)};
	int names;

	if (proven[0] != proven[1])
		return proven[0] ? -1 : 1;
	if (sizes[0] != sizes[1])
		return sizes[0] > sizes[1] ? -1 : 1;
	names = strcmp(x->diff->rows[x->row].name, y->diff->rows[y->row].name);
	return names ? names : x->row < y->row ? -1 : 1;
}

bool diff_knows_errors(const struct diff *diff, enum diff_measure by)
{
	for (size_t i = 0; i < diff->row_count; i++)
		if (diff->compared[by][i].is_known)
			return true;
	return false;
}

/* Sorts the rows that the table has. Returns their number. */
static size_t sort_rows(const struct diff *diff, const struct diff_table *table, struct order *order)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++)
		if (diff_has_row(diff, table->by, i) && (!table->changed_only || diff_is_change(&diff->compared[table->by][i])))
			order[count++] = (struct order){diff, &diff->compared[table->by][i], i};
	qsort(order, count, sizeof *order, compare_rows);
	return count;
}

bool diff_write(const struct diff *diff, const struct diff_table *table, const struct table_sink *sink)
{
	struct order *order = calloc(diff->row_count + 1, sizeof *order);
	struct column columns[COLUMNS];
	size_t count;

	if (!order)
		return false;
	count = sort_rows(diff, table, order);
	make_columns(columns, table->by, diff_knows_errors(diff, table->by));
	sink->begin(sink->context, "diff", columns, COLUMNS);
	for (size_t i = 0; i < count && i < table->limit; i++) {
		struct cell cells[COLUMNS] = {{{0}, false, false, 0}};
		size_t row = order[i].row;

		fill_people(cells + DATA_COLUMNS, diff, row, table->by);
		for (int m = 0; m < DIFF_MEASURES; m++)
			fill_data(cells + FIRST + m * PER_MEASURE, &diff->compared[m][row], m,
				diff_has_measure(diff, (enum diff_measure)m));
		cells[DATA_COLUMNS + P_NAME].function = (uint32_t)row + 1;
		cells[NAME] = cells[DATA_COLUMNS + P_NAME];
		cells[VERDICT].text = verdicts[order[i].of->verdict];
		sink->row(sink->context, cells);
	}
	sink->end(sink->context);
	if (table->rest && table->limit < count)
		table->rest->rows = count - table->limit;
	free(order);
	return true;
}
