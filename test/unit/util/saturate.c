/* Sums that stop at the largest number. */
#include "check.h"

#include "util/saturate.h"

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	saturate_add(&a, b);
	return a;
}

TEST(up_to_the_end)
{
	CHECK_EQ(sum_of(0, 0), 0);
	CHECK_EQ(sum_of(2, 3), 5);
	CHECK_EQ(sum_of(UINT64_MAX - 1, 1), UINT64_MAX);
	CHECK_EQ(sum_of(0, UINT64_MAX), UINT64_MAX);
	CHECK_EQ(sum_of(UINT64_MAX, 0), UINT64_MAX);
}

TEST(beyond_it)
{
	CHECK_EQ(sum_of(UINT64_MAX, 1), UINT64_MAX);
	CHECK_EQ(sum_of(1, UINT64_MAX), UINT64_MAX);
	CHECK_EQ(sum_of(UINT64_MAX, UINT64_MAX), UINT64_MAX);
	CHECK_EQ(sum_of(UINT64_C(1) << 63, UINT64_C(1) << 63), UINT64_MAX);
}

int main(void)
{
	RUN(up_to_the_end);
	RUN(beyond_it);
	return tap_done();
}
