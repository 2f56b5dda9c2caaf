/* Comparisons by simulation: equal programs are called equal as often as promised, with one run of each and with several that
 * differ by more than sampling explains; a change that is there is found with as many samples as theory says; intervals hold the
 * truth. */
#include "analysis/diff/compare.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/diff/chance.h"
#include "check.h"
#include "model/profile/estimate.h"

#define FUNCTIONS 300u
#define RUNS_MAX 5u

static uint64_t state = 88172645463325252u;

static double draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

static double draw_normal(void)
{
	return sqrt(-2 * log(1 - draw())) * cos(6.283185307179586 * draw());
}

static bool is_near(double found, double wanted, double part)
{
	return fabs(found - wanted) <= part * fabs(wanted);
}

TEST(known_values)
{
	CHECK(is_near(chance_quantile(0.025, INFINITY), 1.959963985, 1e-8));
	CHECK(is_near(chance_quantile(0.025, 4), 2.776445105, 1e-8));
	CHECK(is_near(chance_quantile(0.0005, 10), 4.586893859, 1e-8));
	CHECK(is_near(chance_quantile(0.025, 1), 12.7062047, 1e-8));
	CHECK(is_near(chance_both_tails(3, INFINITY), 0.002699796063, 1e-9));
	CHECK(is_near(chance_both_tails(1, 1), 0.5, 1e-12));
	CHECK(is_near(chance_both_tails(10, 5), 0.0001708, 1e-2));
	CHECK(chance_both_tails(0, 7) == 1);
	CHECK(chance_both_tails(38, INFINITY) > 0 && chance_both_tails(38, INFINITY) < 1e-300);
	CHECK(is_near(chance_digamma(1), -0.5772156649015329, 1e-9));
	CHECK(is_near(chance_trigamma(1), 1.6449340668482264, 1e-9));
	CHECK(is_near(chance_trigamma_inverse(chance_trigamma(2.5)), 2.5, 1e-6));
}

/* ---- programs that are sampled ---- */

static double sums[FUNCTIONS];

/* The function at position changed weighs factor times as much: then the whole takes longer, too. */
static void make_shares(const double *shares, uint32_t count, uint32_t changed, double factor)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sums[i] = sum += shares[i] * (i == changed ? factor : 1);
}

static void make_many_shares(double *shares)
{
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		shares[i] = 1 / pow(i + 1, 1.2); /* a quarter of the time, down to a thousandth of that */
}

static uint32_t choose(uint32_t count)
{
	double at = draw() * sums[count - 1];
	uint32_t low = 0, high = count - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (at < sums[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static double values[FUNCTIONS][COMPARE_SIDES][RUNS_MAX], variances[FUNCTIONS][COMPARE_SIDES][RUNS_MAX];
static struct compared list[FUNCTIONS];

static void begin(uint32_t functions)
{
	for (uint32_t i = 0; i < functions; i++) {
		list[i] = (struct compared){0};
		for (int side = 0; side < COMPARE_SIDES; side++) {
			list[i].values[side] = values[i][side];
			list[i].variances[side] = variances[i][side];
		}
	}
}

/* One run, through the same estimates as real samples. */
static void sample(uint32_t functions, unsigned count, double length, int side, uint32_t run)
{
	struct estimates estimates = {0};
	struct estimate_blocks blocks = {0};
	static double weights[FUNCTIONS];
	uint32_t at = choose(functions);

	for (uint32_t i = 0; i < functions; i++)
		weights[i] = 0;
	for (unsigned i = 0; i < count; i++) {
		uint64_t period = (uint64_t)(1e6 * (0.7 + 0.6 * draw()));

		if (length <= 1 || draw() * length < 1)
			at = choose(functions);
		weights[at] += (double)period;
		CHECK(estimates_add(&estimates, &blocks, at, period));
	}
	CHECK(estimates_end_blocks(&estimates, &blocks));
	for (uint32_t i = 0; i < functions; i++) {
		struct estimate_share share = estimates_get_share(&estimates, i, weights[i]);

		values[i][side][run] = share.share;
		variances[i][side][run] = share.variance;
		list[i].samples += share.share > 0 ? share.share * share.independent : 0;
	}
	estimate_blocks_clear(&blocks);
	estimates_clear(&estimates);
}

static unsigned count_told(uint32_t functions)
{
	unsigned told = 0;

	for (uint32_t i = 0; i < functions; i++)
		told += list[i].verdict != COMPARE_CANNOT_TELL;
	return told;
}

static unsigned count_alone(uint32_t functions, double risk)
{
	unsigned told = 0;

	for (uint32_t i = 0; i < functions; i++)
		told += list[i].error > 0 && chance_both_tails(list[i].change / list[i].error, list[i].freedom) < risk;
	return told;
}

/* In how many of 100 comparisons of equal programs, tested at 1 %, anything is said to have changed; and if every function were
 * tested alone. */
static unsigned count_false(unsigned samples, double length, uint32_t runs, unsigned *alone)
{
	const uint32_t both[] = {runs, runs};
	double shares[FUNCTIONS];
	unsigned told = 0;

	make_many_shares(shares);
	make_shares(shares, FUNCTIONS, 0, 1);
	*alone = 0;
	for (unsigned trial = 0; trial < 100; trial++) {
		begin(FUNCTIONS);
		for (uint32_t run = 0; run < 2 * runs; run++)
			sample(FUNCTIONS, samples, length, run % 2, run / 2);
		CHECK(compare(list, FUNCTIONS, both, 0.99));
		told += count_told(FUNCTIONS) > 0;
		*alone += count_alone(FUNCTIONS, 0.01) > 0;
	}
	return told;
}

TEST(equal_programs)
{
	static const struct { unsigned samples; double length; uint32_t runs; } cases[] = {
		{10000, 1, 1}, {10000, 10, 1}, {1000, 1, 1}, {4000, 5, 3}};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i += SANITIZED ? 2 : 1) {
		unsigned alone, told = count_false(cases[i].samples, cases[i].length, cases[i].runs, &alone);

		printf("# %u samples in runs of %.0f, %u recordings of each: %u of 100 with any change (%u if tested one by one)\n",
			cases[i].samples, cases[i].length, cases[i].runs, told, alone);
		CHECK(told <= 5);
	}
}

/* What theory says for two shares, of one function among so many that are looked at. */
static double samples_needed(double old, double new, double many, double risk)
{
	double factor = chance_quantile(risk / many / 2, INFINITY) + chance_quantile(1 - COMPARE_POWER, INFINITY);

	return factor * factor * (old * (1 - old) + new * (1 - new)) / ((new - old) * (new - old));
}

TEST(a_planted_change_is_found)
{
	const uint32_t runs[] = {1, 1}, changed = 7, trials = 40;
	double shares[FUNCTIONS], rest = 0, needed;
	unsigned found = 0, others = 0;

	make_many_shares(shares);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		rest += i == changed ? 0 : shares[i];
	shares[changed] = rest * 0.05 / 0.95;
	needed = samples_needed(0.05, 0.055 / 1.005, FUNCTIONS, 0.05);
	for (uint32_t trial = 0; trial < trials; trial++) {
		begin(FUNCTIONS);
		for (int side = 0; side < COMPARE_SIDES; side++) {
			make_shares(shares, FUNCTIONS, changed, side == COMPARE_NEW ? 1.1 : 1);
			sample(FUNCTIONS, (unsigned)needed, 1, side, 0);
		}
		CHECK(compare(list, FUNCTIONS, runs, 0.95));
		found += list[changed].verdict == COMPARE_ROSE;
		for (uint32_t i = 10; i < FUNCTIONS; i++) /* the large ones fell: their share, not their time */
			others += list[i].verdict != COMPARE_CANNOT_TELL;
		CHECK(is_near(list[changed].can_show, 0.055 / 1.005 - 0.05, 0.3));
	}
	printf("# +10 %% on a share of 5 %%, %.0f samples of each, 300 functions: found in %u of %u\n", needed, found, trials);
	CHECK(found >= trials * 6 / 10);
	CHECK(others <= 4);
	make_shares(shares, FUNCTIONS, changed, 1.1);
	begin(FUNCTIONS); /* a tenth of them is too little, as it says */
	make_shares(shares, FUNCTIONS, changed, 1);
	sample(FUNCTIONS, (unsigned)(needed / 10), 1, COMPARE_OLD, 0);
	make_shares(shares, FUNCTIONS, changed, 1.1);
	sample(FUNCTIONS, (unsigned)(needed / 10), 1, COMPARE_NEW, 0);
	CHECK(compare(list, FUNCTIONS, runs, 0.95));
	CHECK(list[changed].can_show > 2.5 * (0.055 / 1.005 - 0.05));
}

TEST(intervals_hold_the_truth)
{
	static const double pairs[][2] = {{0.05, 0.05}, {0.05, 0.08}, {0.01, 0.02}, {0.3, 0.25}, {0.005, 0.005}};
	const uint32_t runs[] = {1, 1};

	for (unsigned k = 0; k < sizeof pairs / sizeof *pairs; k++) {
		unsigned hits = 0;

		for (unsigned trial = 0; trial < 400; trial++) {
			begin(2);
			for (int side = 0; side < COMPARE_SIDES; side++) {
				const double shares[] = {pairs[k][side], 1 - pairs[k][side]};

				make_shares(shares, 2, 0, 1);
				sample(2, 2000, 3, side, 0);
			}
			CHECK(compare(list, 1, runs, 0.95));
			hits += list[0].low <= pairs[k][1] - pairs[k][0] && pairs[k][1] - pairs[k][0] <= list[0].high;
		}
		printf("# from %.3f to %.3f: %.1f %% of intervals hold it\n", pairs[k][0], pairs[k][1], hits / 4.0);
		CHECK(hits >= 0.92 * 400);
	}
}

/* ---- runs that differ ---- */

/* Times of functions that vary from run to run, each by a part of its own; sampling explains little of it. */
static unsigned count_false_between(uint32_t runs, bool exact)
{
	const uint32_t both[] = {runs, runs};
	unsigned told = 0;

	for (unsigned trial = 0; trial < 100; trial++) {
		begin(FUNCTIONS);
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			double size = 1e6 / (i + 1), spread = 0.02 * exp(0.7 * draw_normal());

			list[i].samples = exact ? INFINITY : 400;
			for (uint32_t run = 0; run < 2 * runs; run++) {
				double sampling = exact ? 0 : size * 0.01;

				values[i][run % 2][run / 2] = size * (1 + spread * draw_normal()) + sampling * draw_normal();
				variances[i][run % 2][run / 2] = sampling * sampling;
			}
		}
		CHECK(compare(list, FUNCTIONS, both, 0.99));
		told += count_told(FUNCTIONS) > 0;
	}
	return told;
}

TEST(runs_that_differ)
{
	for (uint32_t runs = 3; runs <= RUNS_MAX; runs += SANITIZED ? 6 : 2)
		for (int exact = 0; exact < 2; exact++) {
			unsigned told = count_false_between(runs, exact);

			printf("# %u runs of each that differ, %s: %u of 100 with any change\n", runs, exact ? "exact" : "sampled", told);
			CHECK(told <= 5);
		}
}

/* Three runs each, which differ by 1 %: a tenth more is found though there are 300 functions, as all of them tell how runs differ;
 * and would not be by what three runs tell of one. */
TEST(functions_help_each_other)
{
	const uint32_t runs[] = {3, 3};
	unsigned found = 0, alone = 0;

	for (unsigned trial = 0; trial < 40; trial++) {
		begin(FUNCTIONS);
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			list[i].samples = INFINITY;
			for (uint32_t run = 0; run < 6; run++) {
				values[i][run % 2][run / 2] = 1000 * (1 + 0.01 * draw_normal()) * (i == 5 && run % 2 ? 1.1 : 1);
				variances[i][run % 2][run / 2] = 0;
			}
		}
		CHECK(compare(list, FUNCTIONS, runs, 0.95));
		found += list[5].verdict == COMPARE_ROSE;
		alone += chance_both_tails(list[5].change / list[5].error, 4) * FUNCTIONS < 0.05;
	}
	printf("# found in %u of 40; %u by the runs of that function alone\n", found, alone);
	CHECK(found >= 38 && alone < 30);
}

TEST(what_nothing_is_known_of)
{
	const uint32_t one[] = {1, 1}, three[] = {3, 3};

	begin(2);
	values[0][COMPARE_OLD][0] = 1000;
	values[0][COMPARE_NEW][0] = 2000;
	variances[0][COMPARE_OLD][0] = variances[0][COMPARE_NEW][0] = 0;
	list[0].samples = INFINITY;
	CHECK(compare(list, 1, one, 0.95));
	CHECK(!list[0].is_known && list[0].verdict == COMPARE_CANNOT_TELL && list[0].change == 1000);
	for (uint32_t run = 0; run < 3; run++) { /* the same every time: counts of calls */
		values[0][COMPARE_OLD][run] = 1000;
		values[0][COMPARE_NEW][run] = 1001;
		variances[0][COMPARE_OLD][run] = variances[0][COMPARE_NEW][run] = 0;
	}
	CHECK(compare(list, 1, three, 0.95));
	CHECK(list[0].is_known && list[0].verdict == COMPARE_ROSE && list[0].low == 1 && list[0].high == 1);
	/* Three samples in all: whatever they say. */
	begin(1);
	list[0].samples = 3;
	values[0][COMPARE_OLD][0] = variances[0][COMPARE_OLD][0] = 0;
	values[0][COMPARE_NEW][0] = 0.003;
	variances[0][COMPARE_NEW][0] = 3e-12;
	CHECK(compare(list, 1, one, 0.95));
	CHECK(list[0].is_known && !list[0].counts && list[0].verdict == COMPARE_CANNOT_TELL);
	list[0].smaller = 0.01; /* but of a short run beside a long one, where one in a hundred was to be expected in it */
	CHECK(compare(list, 1, one, 0.95));
	CHECK(list[0].counts);
	CHECK(compare(list, 0, one, 0.95));
}

int main(void)
{
	RUN(known_values);
	RUN(equal_programs);
	RUN(a_planted_change_is_found);
	RUN(intervals_hold_the_truth);
	RUN(runs_that_differ);
	RUN(functions_help_each_other);
	RUN(what_nothing_is_known_of);
	return tap_done();
}
