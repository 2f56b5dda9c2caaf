/* Intervals hold the true share as often as they say: for samples that know nothing of each other, for samples that come in runs,
 * for small shares; and what was estimated of two threads adds up. */
#include "model/profile/estimate.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "model/function/function.h"

static uint64_t state = 88172645463325252u;

static double draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* One run: samples of function 1 with the share, else of function 0, which stay where they are for run samples on average. */
static struct estimate_share sample(double share, unsigned count, double run)
{
	struct estimates estimates = {0};
	struct estimate_blocks blocks = {0};
	struct estimate_share result;
	bool inside = draw() < share;
	double weight = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t period = (uint64_t)(1e6 * (0.7 + 0.6 * draw()));

		if (draw() < 1 / run)
			inside = draw() < share;
		weight += inside ? (double)period : 0;
		CHECK(estimates_add(&estimates, &blocks, inside, period));
	}
	CHECK(estimates_end_blocks(&estimates, &blocks));
	result = estimates_get_share(&estimates, 1, weight);
	estimate_blocks_clear(&blocks);
	estimates_clear(&estimates);
	return result;
}

static double coverage(double share, unsigned count, double run, double *width)
{
	unsigned hits = 0, runs = 400;

	*width = 0;
	for (unsigned i = 0; i < runs; i++) {
		struct estimate_share found = sample(share, count, run);

		hits += found.low <= share && share <= found.high;
		*width += (found.high - found.low) / runs;
		CHECK(found.low <= found.share && found.share <= found.high);
	}
	return (double)hits / runs;
}

TEST(independent_samples)
{
	static const double shares[] = {0.002, 0.01, 0.05, 0.2, 0.74};

	for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++) {
		double width, hit = coverage(shares[i], 1000, 1, &width);
		double expected = 2 * 1.96 * sqrt(shares[i] * (1 - shares[i]) / 1000);

		printf("# share %.3f: %.1f %% of intervals hold it, width %.4f (binomial %.4f)\n", shares[i], 100 * hit, width, expected);
		CHECK(hit >= 0.93);
		CHECK(width < 1.6 * expected + 0.003);
	}
}

/* A program with a period, of which function 1 has the first tenth, sampled as perf_set.h does: at two distances in turns of 4 to
 * 12 ms. */
static struct estimate_share sample_in_step(double period, unsigned count)
{
	static const double distances[] = {813.5, 1307.7};
	struct estimates estimates = {.jittered = true};
	struct estimate_blocks blocks = {0};
	struct estimate_share result;
	double left[2] = {distances[0] * draw(), distances[1] * draw()}, at = draw() * period, weight = 0;

	for (unsigned which = 0; estimates.samples < count; which ^= 1) {
		double turn = 4000 + 8000 * draw();

		for (; left[which] <= turn && estimates.samples < count; left[which] = distances[which]) {
			bool inside;

			at += left[which];
			turn -= left[which];
			inside = fmod(at, period) < period / 10;
			weight += inside ? floor(distances[which]) : 0;
			CHECK(estimates_add(&estimates, &blocks, inside, (uint64_t)distances[which]));
		}
		left[which] -= turn;
		at += turn;
	}
	CHECK(estimates_end_blocks(&estimates, &blocks));
	result = estimates_get_share(&estimates, 1, weight);
	estimate_blocks_clear(&blocks);
	estimates_clear(&estimates);
	return result;
}

/* Where the program is in step with one of the distances a turn is one sample as good as ten. */
TEST(periods)
{
	static const double periods[] = {250, 813.5, 1304, 1307.7};
	static const unsigned counts[] = {1000, 1500, 2500};
	double sum = 0;

	for (unsigned i = 0; i < sizeof periods / sizeof *periods; i++)
		for (unsigned k = 0; k < 3; k++) {
			unsigned hits = 0, runs = 1000;

			for (unsigned run = 0; run < runs; run++) {
				struct estimate_share found = sample_in_step(periods[i], counts[k]);

				hits += found.low <= 0.1 && 0.1 <= found.high;
			}
			printf("# period %.1f us, %u samples: %.1f %%\n", periods[i], counts[k], 100.0 * hits / runs);
			CHECK(hits >= 0.93 * runs); /* three standard deviations below */
			sum += (double)hits / runs;
		}
	printf("# all of them: %.1f %%\n", 100 * sum / 12);
	CHECK(sum / 12 >= 0.95);
}

/* As if there were a tenth of the samples: the binomial interval would hold the truth in half of the runs. */
TEST(samples_that_come_in_runs)
{
	static const double shares[] = {0.05, 0.2, 0.5};

	for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++) {
		double width, hit = coverage(shares[i], 4000, 10, &width);

		printf("# share %.2f in runs: %.1f %%, width %.4f\n", shares[i], 100 * hit, width);
		CHECK(hit >= 0.91);
	}
}

/* A program that does one thing for a long time, and then another: function 1 has most of each second phase, and next to nothing of
 * the others. */
static struct estimate_share sample_phases(unsigned count, unsigned phases)
{
	struct estimates estimates = {.jittered = true};
	struct estimate_blocks blocks = {0};
	struct estimate_share result;
	double weight = 0;

	for (unsigned i = 0; i < count; i++) {
		bool inside = draw() < (i * phases / count % 2 ? 0.8 : 0.02);

		weight += inside;
		CHECK(estimates_add(&estimates, &blocks, inside, 1));
	}
	CHECK(estimates_end_blocks(&estimates, &blocks));
	result = estimates_get_share(&estimates, 1, weight);
	estimate_blocks_clear(&blocks);
	estimates_clear(&estimates);
	return result;
}

/* How long the phases are is known as well as any program's share: the interval is no wider for them. */
TEST(phases)
{
	static const unsigned phases[] = {2, 4, 10};
	const double share = 0.41, binomial = 2 * 1.96 * sqrt(share * (1 - share) / 4000);

	for (unsigned k = 0; k < 3; k++) {
		unsigned hits = 0, runs = 400;
		double width = 0;

		for (unsigned i = 0; i < runs; i++) {
			struct estimate_share found = sample_phases(4000, phases[k]);

			hits += found.low <= share && share <= found.high;
			width += (found.high - found.low) / runs;
		}
		printf("# %u phases: %.1f %%, width %.4f (binomial %.4f)\n", phases[k], 100.0 * hits / runs, width, binomial);
		CHECK(hits >= 0.93 * runs);
		CHECK(width < 2.2 * binomial);
	}
}

TEST(never_found_and_always_found)
{
	struct estimate_share none = sample(0, 300, 1), all = sample(1, 300, 1);

	CHECK(none.share == 0 && none.low == 0 && none.high > 0.005 && none.high < 0.03);
	CHECK(all.share == 1 && all.high == 1 && all.low < 0.995 && all.low > 0.97);
}

TEST(nothing)
{
	struct estimates estimates = {0};
	struct estimate_share share = estimates_get_share(&estimates, 7, 0);

	CHECK(share.share == 0 && share.low == 0 && share.high == 0);
}

/* Each thread in blocks of its own: two estimates made apart add up to the one that was made of both. */
TEST(merge_is_addition)
{
	struct estimates whole = {0}, parts[2] = {{0}, {0}}, sum = {0};
	struct estimate_blocks whole_blocks[2], part_blocks[2];

	memset(whole_blocks, 0, sizeof whole_blocks);
	memset(part_blocks, 0, sizeof part_blocks);

	for (unsigned i = 0; i < 1000; i++) {
		unsigned thread = draw() < 0.3;
		uint32_t function = (uint32_t)(draw() * 5);
		uint64_t weight = 1 + (uint64_t)(draw() * 100);

		CHECK(estimates_add(&whole, &whole_blocks[thread], function, weight));
		CHECK(estimates_add(&parts[thread], &part_blocks[thread], function, weight));
	}
	for (unsigned thread = 0; thread < 2; thread++) {
		CHECK(estimates_end_blocks(&whole, &whole_blocks[thread]));
		CHECK(estimates_end_blocks(&parts[thread], &part_blocks[thread]));
		CHECK(estimates_merge(&sum, &parts[thread]));
	}
	CHECK_EQ(sum.samples, whole.samples);
	CHECK_EQ(sum.count, whole.count);
	CHECK(sum.weight == whole.weight);
	for (unsigned k = 0; k < ESTIMATE_LEVELS; k++) {
		CHECK_EQ(sum.blocks[k], whole.blocks[k]);
		CHECK(sum.squares[k] == whole.squares[k]);
		for (size_t f = 0; f < whole.count; f++)
			CHECK(sum.functions[f].squares[k] == whole.functions[f].squares[k] &&
				sum.functions[f].products[k] == whole.functions[f].products[k]);
	}
	for (unsigned thread = 0; thread < 2; thread++) {
		estimate_blocks_clear(&whole_blocks[thread]);
		estimate_blocks_clear(&part_blocks[thread]);
		estimates_clear(&parts[thread]);
	}
	estimates_clear(&whole);
	estimates_clear(&sum);
}

TEST(renumber)
{
	struct estimates estimates = {0};
	struct estimate_blocks blocks = {0};
	const uint32_t map[] = {2, FUNCTION_NONE, 0};

	for (uint32_t function = 0; function < 3; function++)
		for (uint32_t i = 0; i <= function; i++)
			CHECK(estimates_add(&estimates, &blocks, function, 1));
	CHECK(estimates_end_blocks(&estimates, &blocks));
	CHECK(estimates_renumber(&estimates, map, 3));
	CHECK_EQ(estimates.functions[2].samples, 1);
	CHECK_EQ(estimates.functions[0].samples, 3);
	CHECK_EQ(estimates.functions[1].samples, 0);
	estimate_blocks_clear(&blocks);
	estimates_clear(&estimates);
}

TEST(rows_that_can_be_told_apart)
{
	struct estimate_share a = sample(0.30, 4000, 1), b = sample(0.20, 4000, 1), c = sample(0.205, 4000, 1);

	CHECK(estimates_differ(&a, &b));
	CHECK(!estimates_differ(&b, &c) || fabs(b.share - c.share) > 0.015);
	CHECK(!estimates_differ(&b, &b));
}

/* A window of a run that goes on, as one sees who looks at it now and then: what came before is taken off. */
static double window_coverage(double share, unsigned count, double run)
{
	struct estimates estimates = {0}, before = {0};
	struct estimate_blocks blocks = {0};
	unsigned windows = 400, hits = 0;
	bool inside = draw() < share;

	for (unsigned i = 0; i < windows; i++) {
		struct estimates now = {0}, window = {0};
		struct estimate_share found;
		double weight = 0;

		for (unsigned k = 0; k < count; k++) {
			uint64_t period = (uint64_t)(1e6 * (0.7 + 0.6 * draw()));

			if (draw() < 1 / run)
				inside = draw() < share;
			weight += inside ? (double)period : 0;
			CHECK(estimates_add(&estimates, &blocks, inside, period));
		}
		CHECK(estimates_merge(&now, &estimates) && estimates_add_unfinished(&now, &blocks));
		CHECK(estimates_merge(&window, &now));
		estimates_subtract(&window, &before);
		CHECK_EQ(window.samples, count);
		CHECK_EQ(window.blocks[0], count);
		for (unsigned k = 0; k < ESTIMATE_LEVELS; k++)
			CHECK(window.blocks[k] >= count >> k && window.blocks[k] <= (count >> k) + 1);
		found = estimates_get_share(&window, 1, weight);
		hits += found.low <= share && share <= found.high;
		estimates_clear(&before);
		estimates_clear(&window);
		before = now;
	}
	estimates_clear(&before);
	estimates_clear(&estimates);
	estimate_blocks_clear(&blocks);
	return (double)hits / windows;
}

TEST(windows)
{
	static const double shares[] = {0.05, 0.2, 0.5};

	for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++) {
		double width, hit = window_coverage(shares[i], 997, 1), hit_in_runs = window_coverage(shares[i], 997, 10);
		double alone = coverage(shares[i], 997, 10, &width);

		printf("# share %.2f: %.1f %% of windows hold it; in runs %.1f %%, and %.1f %% of recordings as short\n", shares[i], 100 * hit,
			100 * hit_in_runs, 100 * alone);
		CHECK(hit >= 0.92);
		CHECK(hit_in_runs >= alone - 0.05);
	}
}

/* What is unfinished counts in the copy as it would if the run ended now, and the run goes on as if nobody had looked. */
TEST(looked_at_while_it_grows)
{
	struct estimates looked = {0}, ended = {0};
	struct estimate_blocks blocks[2] = {{{{0}}}};

	for (unsigned i = 0; i < 1000; i++) {
		struct estimates now = {0};
		unsigned function = i / 3 % 4;

		CHECK(estimates_add(&looked, &blocks[0], function, 100 + i) &&
			estimates_add(&ended, &blocks[1], function, 100 + i));
		CHECK(estimates_merge(&now, &looked) && estimates_add_unfinished(&now, &blocks[0]));
		if (i == 998) {
			CHECK(estimates_end_blocks(&ended, &blocks[1]));
			CHECK(!memcmp(now.squares, ended.squares, sizeof now.squares));
			CHECK(!memcmp(now.blocks, ended.blocks, sizeof now.blocks));
			for (unsigned k = 0; k < 4; k++)
				CHECK(!memcmp(&now.functions[k], &ended.functions[k], sizeof now.functions[k]));
			estimates_clear(&now);
			break;
		}
		estimates_clear(&now);
	}
	for (unsigned i = 0; i < 2; i++)
		estimate_blocks_clear(&blocks[i]);
	estimates_clear(&looked);
	estimates_clear(&ended);
}

int main(void)
{
	RUN(independent_samples);
	RUN(periods);
	RUN(samples_that_come_in_runs);
	RUN(phases);
	RUN(never_found_and_always_found);
	RUN(nothing);
	RUN(merge_is_addition);
	RUN(renumber);
	RUN(rows_that_can_be_told_apart);
	RUN(windows);
	RUN(looked_at_while_it_grows);
	return tap_done();
}
