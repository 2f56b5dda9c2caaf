/* Numbers at the borders of the integers' types, and what is no number. */
#include "check.h"

#include <math.h>

#include "util/real.h"

TEST(u64)
{
	CHECK_EQ(real_to_u64(0), 0);
	CHECK_EQ(real_to_u64(0.9), 0);
	CHECK_EQ(real_to_u64(7.5), 7);
	CHECK_EQ(real_to_u64(-1), 0);
	CHECK_EQ(real_to_u64(-INFINITY), 0);
	CHECK_EQ(real_to_u64(0x1p63), UINT64_C(1) << 63);
	CHECK_EQ(real_to_u64(nextafter(0x1p64, 0)), UINT64_MAX - 2047);
	CHECK_EQ(real_to_u64(0x1p64), UINT64_MAX);
	CHECK_EQ(real_to_u64(1e300), UINT64_MAX);
	CHECK_EQ(real_to_u64(INFINITY), UINT64_MAX);
	CHECK_EQ(real_to_u64(NAN), 0);
}

TEST(u32)
{
	CHECK_EQ(real_to_u32(4294967295.5), UINT32_MAX);
	CHECK_EQ(real_to_u32(0x1p32), UINT32_MAX);
	CHECK_EQ(real_to_u32(INFINITY), UINT32_MAX);
	CHECK_EQ(real_to_u32(99.99), 99);
	CHECK_EQ(real_to_u32(-0.5), 0);
	CHECK_EQ(real_to_u32(NAN), 0);
}

int main(void)
{
	RUN(u64);
	RUN(u32);
	return tap_done();
}
