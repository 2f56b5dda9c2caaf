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

static bool add_entry(struct diff *diff, const struct diff_run *run, uint32_t id)
{
	const struct profile_function *function = &run->profile->functions[id];
	struct diff_entry *entry;

	if (!array_reserve(&diff->entries, &diff->entry_capacity, diff->entry_count + 1, sizeof *diff->entries))
		return false;
	entry = &diff->entries[diff->entry_count++];
	*entry = (struct diff_entry){.run = diff->run_count, .function = id, .calls = run->as_sums ? 0 : function->calls};
	if (!match_key_make(&entry->key, run->functions, id, run->as_sums))
		return false;
	if (diff->is_sampled) {
		struct estimate_share share = estimates_get_share(&run->profile->estimates, id, (double)function->self);

		entry->self = (double)function->self;
		entry->deviation = sqrt(share.variance);
		return true;
	}
	entry->self = (double)(run->profile->has_times ? clock_duration_ns(run->clock, function->self) : function->self);
	entry->self_on_cpu =
		(double)clock_duration_ns(run->clock, profile_rest(function->self, profile_off_cpu(&function->self_off)));
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

		if ((function->self || (!is_sampled && !run->as_sums && function->calls)) && !add_entry(diff, run, (uint32_t)i))
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

		if (diff_is_on_cpu(diff))
			entry->self = entry->self_on_cpu;
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

/* Compares all rows by one measure. False: memory ran out. */
static bool compare_measure(struct diff *diff, int measure, double level)
{
	struct compared *list = calloc(diff->row_count + 1, sizeof *list);
	double smaller = smaller_part(diff);

	diff->compared[measure] = list;
	if (!list)
		return false;
	for (size_t i = 0; i < diff->row_count; i++)
		list[i] = (struct compared){.values = {numbers_of(diff, i, measure, false),
						    numbers_of(diff, i, measure, false) + diff->count[COMPARE_OLD]},
			.variances = {numbers_of(diff, i, measure, true),
				numbers_of(diff, i, measure, true) + diff->count[COMPARE_OLD]},
			.samples = measure == DIFF_CALLS ? INFINITY : diff->rows[i].samples,
			.smaller = smaller};
	return compare(list, diff->row_count, diff->count, level);
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
	return measure == DIFF_SHARE || (measure == DIFF_TIME ? diff->has_times : !diff->is_sampled && !diff->is_sums);
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

struct diff_counts diff_count(const struct diff *diff, enum diff_measure measure)
{
	struct diff_counts counts = {.functions = (uint32_t)diff->row_count};

	for (size_t i = 0; i < diff->row_count; i++) {
		const struct compared *of = &diff->compared[measure][i];

		counts.looked_at += of->counts;
		counts.rose += of->verdict == COMPARE_ROSE;
		counts.fell += of->verdict == COMPARE_FELL;
	}
	return counts;
}

void diff_map_functions(const struct diff *diff, enum compare_side side, uint32_t *rows, size_t count)
{
	for (size_t i = 0; i < diff->entry_count; i++) {
		const struct diff_entry *entry = diff->matches[i].context;

		if (diff->matches[i].side == (int)side && entry->function < count)
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
	double whole = measure == DIFF_SHARE ? 1 : 0;
	uint32_t count = 0;

	for (size_t i = 0; measure != DIFF_SHARE && i < diff->row_count; i++)
		whole += diff->compared[measure][i].mean[COMPARE_OLD];
	for (size_t i = 0; i < diff->row_count; i++)
		count += exact ? is_fact_over(&diff->compared[measure][i], limit, whole) :
				 is_over(&diff->compared[measure][i], limit, whole);
	return count + (measure == DIFF_TIME && diff->has_times && is_over(&diff->whole, limit, whole));
}
