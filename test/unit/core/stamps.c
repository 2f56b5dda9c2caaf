/* core/stamps: what FORMAT.md says of late stamps, step by step. */
#include "core/stamps.h"

#include "check.h"

#define HIGH UINT64_C(0x500000000)

static void check(uint64_t *ticks, size_t count, uint64_t floor_ticks, const uint64_t *right, size_t late)
{
	CHECK_EQ(dwell_stamps_correct(ticks, count, floor_ticks), late);
	for (size_t i = 0; i < count; i++)
		CHECK_EQ(ticks[i], right[i]);
}

TEST(in_order)
{
	uint64_t ticks[] = {HIGH + 1, HIGH + 1, HIGH + 7, 2 * HIGH};

	check(ticks, 4, HIGH, (const uint64_t[]){HIGH + 1, HIGH + 1, HIGH + 7, 2 * HIGH}, 0);
	check(ticks, 0, HIGH, NULL, 0);
}

/* The handler that came between is behind it. */
TEST(taken_late)
{
	uint64_t ticks[] = {HIGH + 1, HIGH + 90, HIGH + 10, HIGH + 20, HIGH + 95};

	check(ticks, 5, 0, (const uint64_t[]){HIGH + 1, HIGH + 10, HIGH + 10, HIGH + 20, HIGH + 95}, 1);
}

TEST(before_its_time)
{
	uint64_t next = HIGH + (UINT64_C(1) << 32), ticks[] = {next - 3, HIGH + 2, next + 5};

	check(ticks, 3, 0, (const uint64_t[]){next - 3, next + 2, next + 5}, 0);
}

/* Of another TIME, and of the run before: nothing there is changed any more. */
TEST(raised)
{
	uint64_t next = HIGH + (UINT64_C(1) << 32), ticks[] = {HIGH + 1, next + 9, HIGH + 4};

	check(ticks, 3, HIGH + 3, (const uint64_t[]){HIGH + 3, next + 9, next + 9}, 2);
}

int main(void)
{
	RUN(in_order);
	RUN(taken_late);
	RUN(before_its_time);
	RUN(raised);
	return tap_done();
}
