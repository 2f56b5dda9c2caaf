/* Shares without floating point, against floating point and 128-bit integers. */
#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "core/ratio.h"

typedef unsigned __int128 wide;

static uint64_t state = 88172645463325252u;

/* Of any size: as many bits as luck says. */
static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> (state * 0x9E3779B97F4A7C15u >> 58);
}

TEST(products_and_quotients)
{
	uint64_t bad = 0;

	for (int i = 0; i < 200000; i++) {
		uint64_t a = any(), b = any(), c = any();
		wide product = (wide)a * b, cut = c ? product / c : UINT64_MAX;
		wide rounded = c ? (product * 2 + c) / c / 2 : UINT64_MAX;

		if (product >> 126) /* twice of it must fit here */
			continue;
		bad += dwell_ratio_truncate(a, b, c) != (cut > UINT64_MAX ? UINT64_MAX : (uint64_t)cut);
		bad += dwell_ratio_round(a, b, c) != (rounded > UINT64_MAX ? UINT64_MAX : (uint64_t)rounded);
	}
	CHECK_EQ(bad, 0);
	CHECK_EQ(dwell_ratio_round(1, 1, 2), 1);
	CHECK_EQ(dwell_ratio_round(1, 1, 3), 0);
	CHECK_EQ(dwell_ratio_round(2621, 10000, 2674), 9802);
	CHECK_EQ(dwell_ratio_truncate(1, 1, 0), UINTPTR_MAX);
	CHECK_EQ(dwell_ratio_truncate(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
}

TEST(roots)
{
	uint64_t bad = 0;

	for (int i = 0; i < 100000; i++) {
		uint64_t a = any(), root = dwell_ratio_root(a);

		bad += (wide)root * root > a || (wide)(root + 1) * (root + 1) <= a;
	}
	CHECK_EQ(bad, 0);
	CHECK_EQ(dwell_ratio_root(UINT64_MAX), UINT32_MAX);
}

/* At most so much further out than the formula as the header says, never further in than the rounding of 1.96 and 3.84. */
TEST(intervals)
{
	double worst_in = 0, worst_out = 0;

	for (int i = 0; i < 200000; i++) {
		uint64_t all = any() % (1ull << (4 + i % 44)) + 1, hits = any() % (all + 1);
		double n = (double)all, p = (double)hits / n, z = 1.959964;
		double middle = (p + z * z / 2 / n) / (1 + z * z / n);
		double half = z * sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n);
		uintptr_t low, high;

		dwell_ratio_interval(hits, all, &low, &high);
		worst_in = fmax(worst_in, fmax((double)low - (middle - half) * 10000, (middle + half) * 10000 - (double)high));
		worst_out = fmax(worst_out,
			fmax((middle - half) * 10000 - (double)low, (double)high - (middle + half) * 10000) - 300 / (n + z * z));
		if (low > high || high > 10000 || low * all > hits * 10000 || high * all < hits * 10000)
			CHECK_EQ(hits, all);
	}
	printf("# worst: %.3f too narrow, %.3f too wide\n", worst_in, worst_out);
	CHECK(worst_in < 0.3);
	CHECK(worst_out <= 2);
}

int main(void)
{
	RUN(products_and_quotients);
	RUN(roots);
	RUN(intervals);
	return tap_done();
}
