/* diff: collects the functions of all runs (entries), matches them into rows, and compares the rows. diff_table.c writes them. */
#include "analysis/diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff_inner.h"
#include "util/array.h"

#define FEW_SAMPLES 5.0 /* with fewer samples of a function, a run shows too little of the variance: see find_variances */

struct diff *make_diff(void)
{
	return calloc(1, sizeof(struct diff));
}

void free_diff(struct diff *diff)
{
	if (!diff)
		return;
	for (size_t i = 0; i < diff->entry_count; i++)
		match_key_clear(&diff->entries[i].key);
	free(diff->entries);
	free(diff->runs);
	for (size_t i = 0; i < diff->row_count; i++)
		free(diff->rows[i].longer);
	for (int m = 0; m < DIFF_MEASURES; m++)
		free(diff->compared[m]);
	free_matches(diff->matches, diff->matches ? diff->entry_count : 0);
	free(diff->matches);
	free(diff->rows);
	free(diff->numbers);
	free(diff);
}

/* ---- runs → entries ---- */

static double get_on_cpu_ns(const struct diff_run *run, uint64_t ticks, const struct off_cpu_ticks *off)
{
	return (double)clock_duration_ns(run->clock, profile_rest(ticks, profile_off_cpu(off)));
}

static bool add_entry(struct diff *diff, const struct diff_run *run, uint32_t id)
{
	const struct profile_function *function = &run->profile->functions[id];
	struct diff_entry *entry;

	if (!array_reserve(&diff->entries, &diff->entry_capacity, diff->entry_count + 1, sizeof *diff->entries))
		return false;
	entry = &diff->entries[diff->entry_count++];
	*entry = (struct diff_entry){.run = diff->run_count, .function = id, .calls = run->as_sums ? 0 : function->calls,
		.has_self = function->self};
	if (!match_key_make(&entry->key, run->functions, id, run->as_sums))
		return false;
	if (diff->is_sampled) {
		struct estimate_share share = estimates_get_share(&run->profile->estimates, id, (double)function->self);

		entry->self = (double)function->self;
		entry->total = (double)function->total;
		entry->deviation = sqrt(share.variance);
		return true;
	}
	entry->self = (double)(run->profile->has_times ? clock_duration_ns(run->clock, function->self) : function->self);
	entry->total = run->profile->has_times ? (double)clock_duration_ns(run->clock, function->total) : 0;
	entry->self_on_cpu = get_on_cpu_ns(run, function->self, &function->self_off);
	entry->total_on_cpu = get_on_cpu_ns(run, function->total, &function->total_off);
	return true;
}

bool diff_is_sampled(const struct profile *profile)
{
	return profile->has_samples && !profile->has_times;
}

bool diff_profile_is_sums(const struct profile *profile)
{
	return !profile->has_samples && !profile->has_times && profile->total;
}

bool diff_add(struct diff *diff, enum compare_side side, const struct diff_run *run)
{
	const struct profile *profile = run->profile;
	struct diff_run_sums total = {.side = side, .samples = INFINITY};
	bool is_sampled = !run->as_sums && diff_is_sampled(profile);

	if (!array_reserve(&diff->runs, &diff->run_capacity, diff->run_count + 1u, sizeof *diff->runs))
		return false;
	diff->is_sampled = is_sampled;
	for (size_t i = 0; i < profile->function_count; i++) {
		const struct profile_function *function = &profile->functions[i];

		if ((function->self || (!run->as_sums && (function->total || (!is_sampled && function->calls)))) &&
			!add_entry(diff, run, (uint32_t)i))
			return false;
	}
	diff->not_on_cpu |= run->as_sums || !profile_knows_cpu(profile);
	diff->is_sums = run->as_sums;
	diff->has_times = profile->has_times || !strcmp(profile->unit, "ns");
	if (is_sampled)
		total.samples = profile->estimates.squares[0] > 0
			? profile->estimates.weight * profile->estimates.weight / profile->estimates.squares[0] : 0;
	diff->runs[diff->run_count++] = total;
	diff->count[side]++;
	return true;
}

/* ---- entries → rows ---- */

/* The values of a row for one measure, one for each run; the runs of the old program come first. variance: their variances. Until
 * find_variances, these are standard deviations. */
static double *numbers_of(const struct diff *diff, size_t row, int measure, bool variance)
{
	return diff->numbers + ((row * DIFF_MEASURES + (size_t)measure) * 2 + variance) * diff->run_count;
}

/* Adds up the entries of each row. How far entries of one row depend on each other is unknown. So adds the standard deviations, as
 * if the entries rose and fell together: the true error is not larger. */
static void sum_up(struct diff *diff)
{
	for (size_t i = 0; i < diff->entry_count; i++) {
		const struct diff_entry *entry = diff->matches[i].context;
		const struct diff_run_sums *run = &diff->runs[entry->run];
		size_t row = diff->matches[i].row, at = run->place;

		numbers_of(diff, row, DIFF_TIME, false)[at] += entry->self;
		numbers_of(diff, row, DIFF_CALLS, false)[at] += (double)entry->calls;
		numbers_of(diff, row, DIFF_SHARE, false)[at] += run->self > 0 ? entry->self / run->self : 0;
		numbers_of(diff, row, DIFF_SHARE, true)[at] += entry->deviation;
		diff->rows[row].name = diff->matches[i].row_name;
		diff->rows[row].file = diff->matches[i].file;
		diff->rows[row].has_own |= entry->has_self || entry->calls;
		diff->rows[row].has_total |= entry->total > 0;
	}
}

/* Whether GCC made the function of a part of another one, which calls it: the part's total is in the other one's total. */
static bool is_part(const char *name)
{
	return strstr(name, ".part.") || strstr(name, ".cold");
}

/* Adds up the totals of the entries of each row. A part counts only where the function that it is of is not in the run. */
static void sum_up_totals(struct diff *diff)
{
	for (int parts = 0; parts < 2; parts++)
		for (size_t i = 0; i < diff->entry_count; i++) {
			const struct diff_entry *entry = diff->matches[i].context;
			double *total = &numbers_of(diff, diff->matches[i].row, DIFF_TOTAL, false)[diff->runs[entry->run].place];

			if (is_part(entry->key.name) == parts && (!parts || *total <= 0))
				*total += entry->total;
		}
}

/* Sets the variances of a row, and its number of independent samples. A run with few samples of the function gets at least the
 * variance that follows from the mean share over all runs. effect: variance, divided by that of independent samples. A number of
 * samples is few if, divided by effect, it is below FEW_SAMPLES. */
static void find_variances(struct diff *diff, size_t row)
{
	double *shares = numbers_of(diff, row, DIFF_SHARE, false), *variances = numbers_of(diff, row, DIFF_SHARE, true);
	double *times = numbers_of(diff, row, DIFF_TIME, true), share = 0, effect = 1, samples = 0;
	uint32_t seen = 0;

	for (uint32_t i = 0; i < diff->run_count; i++)
		variances[i] *= variances[i];
	if (!diff->is_sampled) {
		diff->rows[row].samples = INFINITY;
		return;
	}
	for (uint32_t r = 0; r < diff->run_count; r++) {
		const struct diff_run_sums *run = &diff->runs[r];
		double here = shares[run->place], simple = run->samples > 0 ? here * (1 - here) / run->samples : 0;

		share += here / diff->run_count;
		if (simple > 0) {
			effect = (effect * seen + fmax(1, variances[run->place] / simple)) / (seen + 1);
			seen++;
		}
	}
	for (uint32_t r = 0; r < diff->run_count; r++) {
		const struct diff_run_sums *run = &diff->runs[r];
		double *variance = &variances[run->place];

		if (run->samples > 0 && shares[run->place] * run->samples < FEW_SAMPLES * effect)
			*variance = fmax(*variance, share * (1 - share) * effect / run->samples);
		if (run->samples <= 0)
			*variance = share * (1 - share);
		times[run->place] = *variance * run->self * run->self;
		samples += shares[run->place] * run->samples / effect;
	}
	diff->rows[row].samples = samples;
}

/* Sums up each run, in the kind of time that all runs have, and numbers the runs, those of the old program first. */
static void sum_runs(struct diff *diff)
{
	uint32_t next[COMPARE_SIDES] = {0, diff->count[COMPARE_OLD]};

	for (size_t i = 0; i < diff->entry_count; i++) {
		struct diff_entry *entry = &diff->entries[i];

		if (diff_is_on_cpu(diff)) {
			entry->self = entry->self_on_cpu;
			entry->total = entry->total_on_cpu;
		}
		diff->runs[entry->run].self += entry->self;
	}
	for (uint32_t i = 0; i < diff->run_count; i++)
		diff->runs[i].place = next[diff->runs[i].side]++;
}

/* The part of all samples on the side with fewer of them; 0: exact. */
static double smaller_part(const struct diff *diff)
{
	double sums[COMPARE_SIDES] = {0};

	for (uint32_t i = 0; diff->is_sampled && i < diff->run_count; i++)
		sums[diff->runs[i].side] += diff->runs[i].samples;
	return sums[0] + sums[1] > 0 ? fmin(sums[0], sums[1]) / (sums[0] + sums[1]) : 0;
}

bool diff_has_row(const struct diff *diff, enum diff_measure measure, size_t row)
{
	return measure == DIFF_TOTAL ? diff->rows[row].has_total : diff->rows[row].has_own;
}

/* The values of a row by a measure, not yet compared. Nobody estimates how far the samples of a total may be off: runs show it. */
static struct compared make_compared(const struct diff *diff, size_t row, int measure)
{
	double *values = numbers_of(diff, row, measure, false), *variances = numbers_of(diff, row, measure, true);
	size_t new = diff->count[COMPARE_OLD];

	return (struct compared){.values = {values, values + new},
		.variances = {variances, variances + new},
		.samples = measure == DIFF_CALLS || measure == DIFF_TOTAL ? INFINITY : diff->rows[row].samples,
		.smaller = smaller_part(diff)};
}

/* Compares all rows that have the measure. False: memory ran out. */
static bool compare_measure(struct diff *diff, int measure, double level)
{
	struct compared *list = calloc(diff->row_count + 1, sizeof *list), *all;
	size_t count = 0;
	bool good;

	diff->compared[measure] = all = calloc(diff->row_count + 1, sizeof *all);
	for (size_t i = 0; list && all && i < diff->row_count; i++)
		if (diff_has_row(diff, (enum diff_measure)measure, i))
			list[count++] = make_compared(diff, i, measure);
	good = list && all && compare(list, count, diff->count, level);
	for (size_t i = diff->row_count; good && i--;)
		if (diff_has_row(diff, (enum diff_measure)measure, i))
			all[i] = list[--count];
	free(list);
	return good;
}

static int by_name(const void *a, const void *b)
{
	const struct diff_row *x = *(const struct diff_row *const *)a, *y = *(const struct diff_row *const *)b;

	return strcmp(x->name, y->name);
}

/* Adds the file to the names of rows with equal names. */
static bool name_rows(struct diff *diff)
{
	struct diff_row **sorted = calloc(diff->row_count + 1, sizeof *sorted);

	if (!sorted)
		return false;
	for (size_t i = 0; i < diff->row_count; i++)
		sorted[i] = &diff->rows[i];
	qsort(sorted, diff->row_count, sizeof *sorted, by_name);
	for (size_t i = 0; i < diff->row_count; i++) {
		bool is_twin = (i && !by_name(&sorted[i], &sorted[i - 1])) ||
			(i + 1 < diff->row_count && !by_name(&sorted[i], &sorted[i + 1]));
		struct diff_row *row = sorted[i];
		size_t bytes = strlen(row->name) + strlen(row->file) + 4;

		if (!is_twin || !*row->file)
			continue;
		row->longer = malloc(bytes);
		if (row->longer)
			snprintf(row->longer, bytes, "%s (%s)", row->name, row->file);
	}
	free(sorted);
	return true;
}

/* Compares the sums of the runs. False: memory ran out. */
static bool compare_whole(struct diff *diff, double level)
{
	double *values = calloc(diff->run_count * 2u + 1, sizeof *values);
	struct compared *whole = &diff->whole;
	bool good;

	if (!values)
		return false;
	for (uint32_t i = 0; i < diff->run_count; i++)
		values[diff->runs[i].place] = diff->runs[i].self;
	*whole = (struct compared){.values = {values, values + diff->count[COMPARE_OLD]},
		.variances = {values + diff->run_count, values + diff->run_count}, .samples = INFINITY};
	good = compare(whole, 1, diff->count, level);
	free(values);
	whole->values[0] = whole->values[1] = whole->variances[0] = whole->variances[1] = NULL;
	return good;
}

bool diff_finish(struct diff *diff, double level)
{
	size_t rows;

	sum_runs(diff);
	diff->matches = calloc(diff->entry_count + 1, sizeof *diff->matches);
	if (!diff->matches)
		return false;
	for (size_t i = 0; i < diff->entry_count; i++) {
		struct diff_entry *entry = &diff->entries[i];

		diff->matches[i] = match_of(&entry->key, diff->runs[entry->run].side, entry);
	}
	rows = match(diff->matches, diff->entry_count);
	if (rows == SIZE_MAX)
		return false;
	diff->rows = calloc(rows + 1, sizeof *diff->rows);
	diff->numbers = calloc((rows + 1) * DIFF_MEASURES * 2 * diff->run_count + 1, sizeof *diff->numbers);
	if (!diff->rows || !diff->numbers)
		return false;
	diff->row_count = rows;
	sum_up(diff);
	sum_up_totals(diff);
	for (size_t i = 0; i < rows; i++)
		find_variances(diff, i);
	for (int measure = 0; measure < DIFF_MEASURES; measure++)
		if (!compare_measure(diff, measure, level))
			return false;
	return name_rows(diff) && compare_whole(diff, level);
}

/* ---- results ---- */

bool diff_has_measure(const struct diff *diff, enum diff_measure measure)
{
	switch (measure) {
	case DIFF_TIME:
		return diff->has_times;
	case DIFF_TOTAL:
		return diff->has_times && !diff->is_sums;
	case DIFF_CALLS:
		return !diff->is_sampled && !diff->is_sums;
	default:
		return true;
	}
}

uint32_t diff_runs(const struct diff *diff, enum compare_side side)
{
	return diff->count[side];
}

bool diff_knows_runs(const struct diff *diff)
{
	return diff->run_count >= 4;
}

bool diff_is_of_sums(const struct diff *diff)
{
	return diff->is_sums;
}

bool diff_is_on_cpu(const struct diff *diff)
{
	return !diff->is_sampled && !diff->not_on_cpu;
}

struct compared diff_get_whole(const struct diff *diff)
{
	return diff->whole;
}

bool diff_is_change(const struct compared *of)
{
	return of->is_known ? of->verdict != COMPARE_CANNOT_TELL : of->change != 0;
}

struct diff_counts diff_count(const struct diff *diff, enum diff_measure measure)
{
	struct diff_counts counts = {0};

	for (size_t i = 0; i < diff->row_count; i++) {
		const struct compared *of = &diff->compared[measure][i];

		if (!diff_has_row(diff, measure, i))
			continue;
		counts.functions++;
		counts.looked_at += of->counts;
		counts.rose += of->verdict == COMPARE_ROSE;
		counts.fell += of->verdict == COMPARE_FELL;
		counts.unchanged += !diff_is_change(of);
	}
	return counts;
}

void diff_map_functions(const struct diff *diff, enum compare_side side, uint32_t *rows, size_t count)
{
	for (size_t i = 0; i < diff->entry_count; i++) {
		const struct diff_entry *entry = diff->matches[i].context;

		if (diff->matches[i].side == (int)side && entry->function < count && diff->rows[diff->matches[i].row].has_own)
			rows[entry->function] = diff->matches[i].row + 1;
	}
}

/* Whether a proven increase is certainly above the limit. A limit relative to the old value has the error of that value, too: it
 * makes the margin larger, by at most limit->part. */
static bool is_over(const struct compared *of, const struct diff_limit *limit, double whole)
{
	double least = limit->is_points ? limit->part * whole : limit->part * of->mean[COMPARE_OLD];
	double margin = (of->change - of->low) * (limit->is_points ? 1 : 1 + limit->part);

	return of->is_known && of->verdict == COMPARE_ROSE && of->change - margin > least;
}

bool diff_is_exact(const struct diff *diff, enum diff_measure measure)
{
	return measure == DIFF_CALLS && diff_has_measure(diff, DIFF_CALLS) && diff_runs(diff, COMPARE_OLD) == 1 &&
		diff_runs(diff, COMPARE_NEW) == 1;
}

/* The same for an exact change, without an error. */
static bool is_fact_over(const struct compared *of, const struct diff_limit *limit, double whole)
{
	return of->change > 0 && of->change > limit->part * (limit->is_points ? whole : of->mean[COMPARE_OLD]);
}

uint32_t diff_count_over(const struct diff *diff, enum diff_measure measure, const struct diff_limit *limit)
{
	bool exact = diff_is_exact(diff, measure);
	double whole = measure == DIFF_SHARE ? 1 : measure == DIFF_TOTAL ? diff->whole.mean[COMPARE_OLD] : 0;
	uint32_t count = 0;

	for (size_t i = 0; measure != DIFF_SHARE && measure != DIFF_TOTAL && i < diff->row_count; i++)
		whole += diff->compared[measure][i].mean[COMPARE_OLD];
	for (size_t i = 0; i < diff->row_count; i++)
		count += exact ? is_fact_over(&diff->compared[measure][i], limit, whole) :
				 is_over(&diff->compared[measure][i], limit, whole);
	return count + (measure == DIFF_TIME && diff->has_times && is_over(&diff->whole, limit, whole));
}
