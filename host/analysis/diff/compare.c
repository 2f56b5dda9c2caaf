/* compare: estimates the variance between runs, then tests all quantities by Holm's method. */
#include "analysis/diff/compare.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/diff/chance.h"

#define FREEDOM_MIN 2u    /* degrees of freedom between runs; with fewer, the variance between runs is unknown */
#define SAMPLES_MIN 20.0  /* fewer samples show nothing about the variance between runs beyond that of sampling */
#define FREEDOM_MAX 1e6

/* What all quantities show together about the variance between runs. */
struct between {
	double common, freedom; /* ratio of the variance between runs to the variance within a run, common to all quantities; and
	                           the degrees of freedom of that ratio */
	double own_freedom;     /* degrees of freedom of one quantity alone */
};

static double mean_of(const double *values, uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += values[i];
	return count ? sum / count : 0;
}

/* Σ (value − mean)² of both sides. */
static double squares_of(const struct compared *of, const uint32_t *runs)
{
	double sum = 0;

	for (int side = 0; side < COMPARE_SIDES; side++)
		for (uint32_t i = 0; i < runs[side]; i++)
			sum += (of->values[side][i] - of->mean[side]) * (of->values[side][i] - of->mean[side]);
	return sum;
}

/* The mean variance of a run's value by sampling. For exact values, which have none, the square of the mean: find_between measures
 * the variance between runs in this unit. */
static double unit_of(const struct compared *of, const uint32_t *runs)
{
	double sum = 0;

	for (int side = 0; side < COMPARE_SIDES; side++)
		for (uint32_t i = 0; i < runs[side]; i++)
			sum += of->variances[side][i] > 0 ? of->variances[side][i]
				: isinf(of->samples)      ? of->mean[side] * of->mean[side]
							  : 0;
	return sum / (runs[COMPARE_OLD] + runs[COMPARE_NEW]);
}

/* Estimates the variance between runs that is common to all quantities: fits the distribution F(own freedom, freedom) × common to
 * the quantities' ratios, by the mean and the variance of their logarithms. */
static struct between find_between(const struct compared *list, size_t count, const uint32_t *runs)
{
	struct between between = {.own_freedom = runs[COMPARE_OLD] + runs[COMPARE_NEW] - 2.0};
	double own = between.own_freedom, sum = 0, squares = 0, mean, variance;
	size_t used = 0;

	if (own < FREEDOM_MIN)
		return (struct between){0};
	for (size_t i = 0; i < count; i++) {
		double unit = unit_of(&list[i], runs), found = squares_of(&list[i], runs) / own;

		if (unit <= 0 || found <= 0 || list[i].samples < SAMPLES_MIN)
			continue;
		found = log(found / unit) - chance_digamma(own / 2) + log(own / 2);
		sum += found;
		squares += found * found;
		used++;
	}
	if (used < 3)
		return between;
	mean = sum / (double)used;
	variance = (squares - sum * mean) / (double)(used - 1) - chance_trigamma(own / 2);
	/* Never more than the degrees of freedom of all quantities used. */
	between.freedom = own * (double)(used - 1);
	if (variance > 0 && 2 * chance_trigamma_inverse(variance) < between.freedom)
		between.freedom = 2 * chance_trigamma_inverse(variance);
	between.common = exp(mean + chance_digamma(between.freedom / 2) - log(between.freedom / 2));
	return between;
}

/* Sets the standard error of the change and its degrees of freedom. False: the error is unknown. */
static bool find_error(struct compared *of, const uint32_t *runs, const struct between *between)
{
	double within = 0, spread, own = between->own_freedom;

	for (int side = 0; side < COMPARE_SIDES; side++) {
		double sum = 0;

		for (uint32_t i = 0; i < runs[side]; i++)
			sum += of->variances[side][i];
		within += sum / ((double)runs[side] * runs[side]);
	}
	of->freedom = INFINITY;
	of->error = sqrt(within);
	if (own >= FREEDOM_MIN) {
		double unit = unit_of(of, runs), found = unit > 0 ? squares_of(of, runs) / own / unit : 0, ratio;

		ratio = (own * found + between->freedom * between->common) / (own + between->freedom);
		spread = ratio * unit * (1.0 / runs[COMPARE_OLD] + 1.0 / runs[COMPARE_NEW]);
		of->freedom = own + between->freedom;
		if (spread > within)
			of->error = sqrt(spread);
		return of->error > 0 || isinf(of->samples);
	}
	return of->error > 0;
}

/* The smallest p possible with this number of samples: all of them lie on the side with the smaller part. */
static double least_p(const struct compared *of)
{
	double part = of->smaller > 0 ? of->smaller : 0.5;

	return isinf(of->samples) ? 0 : fmin(1, 2 * pow(part, of->samples));
}

/* A quantity to test, with its uncorrected p. */
struct sorted {
	struct compared *of;
	double p;
};

static int by_p(const void *a, const void *b)
{
	double x = ((const struct sorted *)a)->p, y = ((const struct sorted *)b)->p;

	return x < y ? -1 : x > y;
}

static int by_least(const void *a, const void *b)
{
	double x = least_p(((const struct sorted *)a)->of), y = least_p(((const struct sorted *)b)->of);

	return x < y ? -1 : x > y;
}

/* Tarone's method: finds the smallest k such that tests at risk / k could prove at most k quantities. Returns the number of these
 * provable quantities, and moves them to the front. */
static size_t count_provable(struct sorted *list, size_t count, double risk)
{
	size_t provable = count;

	qsort(list, count, sizeof *list, by_least);
	for (size_t k = 1; k <= count; k++) {
		while (provable && least_p(list[provable - 1].of) > risk / (double)k)
			provable--;
		if (provable <= k)
			break;
	}
	return provable;
}

/* The last quantile computed, since nearly all rows need the same quantile. */
struct last_quantile {
	double tail, freedom, quantile;
};

static double get_quantile(struct last_quantile *last_quantile, double tail, double freedom)
{
	if (last_quantile->tail != tail || last_quantile->freedom != freedom)
		*last_quantile = (struct last_quantile){tail, freedom, chance_quantile(tail, freedom)};
	return last_quantile->quantile;
}

static void set_interval(struct compared *of, double risk, struct last_quantile last_quantile[2])
{
	double both = get_quantile(&last_quantile[0], risk / 2, of->freedom),
	       power = get_quantile(&last_quantile[1], 1 - COMPARE_POWER, of->freedom);

	of->low = fmax(of->change - both * of->error, -of->mean[COMPARE_OLD]);
	of->high = of->change + both * of->error;
	of->can_show = (both + power) * of->error;
}

/* Holm's correction: tests the smallest p as one of count tests, the next as one of count − 1, and so on, to the first test that
 * proves nothing. All further quantities are tested with the number of tests reached there. */
static void correct(struct sorted *list, size_t count, double risk, struct last_quantile last_quantile[2])
{
	double before = 0, stopped = 0;

	qsort(list, count, sizeof *list, by_p);
	for (size_t i = 0; i < count; i++) {
		struct compared *of = list[i].of;
		double many = stopped > 0 ? stopped : (double)(count - i);

		of->p = before = fmax(before, fmin(1, list[i].p * (double)(count - i)));
		if (stopped <= 0 && of->p > risk)
			stopped = many;
		set_interval(of, risk / many, last_quantile);
		of->verdict = of->p > risk || of->change == 0 ? COMPARE_CANNOT_TELL : of->change > 0 ? COMPARE_ROSE : COMPARE_FELL;
	}
}

bool compare(struct compared *list, size_t count, const uint32_t runs[COMPARE_SIDES], double level)
{
	struct sorted *sorted = calloc(count ? count : 1, sizeof *sorted);
	struct last_quantile last_quantile[2] = {{0}};
	struct between between;
	size_t known = 0, provable;

	if (!sorted)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct compared *of = &list[i];

		for (int side = 0; side < COMPARE_SIDES; side++)
			of->mean[side] = mean_of(of->values[side], runs[side]);
		of->change = of->mean[COMPARE_NEW] - of->mean[COMPARE_OLD];
		of->is_known = of->counts = false;
		of->low = of->high = of->error = of->freedom = of->can_show = 0;
		of->p = 1;
		of->verdict = COMPARE_CANNOT_TELL;
	}
	between = find_between(list, count, runs);
	for (size_t i = 0; i < count; i++) {
		struct compared *of = &list[i];

		of->is_known = find_error(of, runs, &between);
		if (of->is_known)
			sorted[known++] = (struct sorted){of,
				of->error > 0 ? chance_both_tails(of->change / of->error, of->freedom) : of->change != 0 ? 0 : 1};
	}
	provable = count_provable(sorted, known, 1 - level);
	for (size_t i = 0; i < provable; i++)
		sorted[i].of->counts = true;
	correct(sorted, provable, 1 - level, last_quantile);
	for (size_t i = provable; i < known; i++) /* quantities that do not count get an interval as if they did */
		set_interval(sorted[i].of, (1 - level) / (double)(provable + 1), last_quantile);
	free(sorted);
	return true;
}
