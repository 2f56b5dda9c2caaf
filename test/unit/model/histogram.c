/* Percentiles of histograms against those of sorted values. */
#include "model/profile/histogram.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

static uint64_t state = 1;

static uint64_t pick(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 11;
}

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Values of all magnitudes, as durations are: a random number of random bits. */
TEST(percentiles_are_within_the_promise)
{
	enum { COUNT = 5000 };
	static uint64_t values[COUNT];
	const double fractions[] = {0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1};
	struct histogram histogram = {0};

	for (int i = 0; i < COUNT; i++) {
		values[i] = (pick() << 11) >> pick() % 64;
		CHECK(histogram_add(&histogram, values[i]));
	}
	qsort(values, COUNT, sizeof *values, by_value);
	CHECK_EQ(histogram.count, COUNT);
	for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
		double rank = ceil(fractions[i] * COUNT);
		double want = (double)values[rank < 1 ? 0 : (int)rank - 1];
		double got = (double)histogram_percentile(&histogram, fractions[i]);

		CHECK(fabs(got - want) <= want * 0.016);
	}
	histogram_clear(&histogram);
	CHECK_EQ(histogram.count, 0);
}

TEST(small_values_are_exact)
{
	for (uint64_t value = 0; value < 64; value++) {
		struct histogram histogram = {0};

		CHECK(histogram_add(&histogram, value));
		CHECK_EQ(histogram_percentile(&histogram, 0.5), value);
		histogram_clear(&histogram);
	}
}

TEST(every_bucket_border)
{
	for (int bit = 5; bit < 64; bit++)
		for (int64_t off = -1; off <= 1; off++) {
			struct histogram histogram = {0};
			uint64_t value = (UINT64_C(1) << bit) + (uint64_t)off, got;

			CHECK(histogram_add(&histogram, value));
			got = histogram_percentile(&histogram, 1);
			CHECK(fabs((double)got - (double)value) <= (double)value * 0.016);
			histogram_clear(&histogram);
		}
}

TEST(the_largest_value)
{
	struct histogram histogram = {0};

	CHECK(histogram_add(&histogram, UINT64_MAX));
	CHECK(histogram_percentile(&histogram, 0.5) > UINT64_MAX / 64 * 63);
	histogram_clear(&histogram);
}

TEST(empty)
{
	struct histogram histogram = {0};

	CHECK_EQ(histogram_percentile(&histogram, 0.5), 0);
	histogram_clear(&histogram);
}

TEST(merged_is_as_if_added)
{
	struct histogram parts[2] = {{0}}, whole = {0};

	for (int i = 0; i < 10000; i++) {
		uint64_t value = pick() >> pick() % 50;

		CHECK(histogram_add(&parts[i % 3 == 0], value));
		CHECK(histogram_add(&whole, value));
	}
	CHECK(histogram_merge(&parts[0], &parts[1]));
	CHECK_EQ(parts[0].count, whole.count);
	for (double q = 0; q <= 1; q += 0.01)
		CHECK_EQ(histogram_percentile(&parts[0], q), histogram_percentile(&whole, q));
	histogram_clear(&parts[0]);
	histogram_clear(&parts[1]);
	histogram_clear(&whole);
}

int main(void)
{
	RUN(percentiles_are_within_the_promise);
	RUN(small_values_are_exact);
	RUN(every_bucket_border);
	RUN(the_largest_value);
	RUN(empty);
	RUN(merged_is_as_if_added);
	return tap_done();
}
