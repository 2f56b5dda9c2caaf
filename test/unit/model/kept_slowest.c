/* What a recorder says of calls that it did not keep: read as it is written, and passed over where it is anything else. */
#include <string.h>

#include "check.h"
#include "model/profile/kept_slowest.h"

TEST(reads_what_is_written)
{
	struct kept_slowest kept_slowest = {0};

	kept_slowest_add(&kept_slowest, "3 of 104 calls, 1 cut, 2 open, 987 ticks, of f(int, buckets 7:1), buckets 7:100 64:3 65:1");
	CHECK_EQ(kept_slowest.count, 1);
	if (kept_slowest.count == 1) {
		const struct kept_slowest_function *function = &kept_slowest.functions[0];

		CHECK(!strcmp(function->name, "f(int, buckets 7:1)"));
		CHECK_EQ(function->kept, 3);
		CHECK_EQ(function->calls, 104);
		CHECK_EQ(function->cut, 1);
		CHECK_EQ(function->open, 2);
		CHECK_EQ(function->total_ticks, 987);
		CHECK_EQ(function->histogram.count, 104);
		CHECK_EQ(histogram_percentile(&function->histogram, 0.5), 7);
	}
	kept_slowest_clear(&kept_slowest);
}

TEST(passes_over_the_rest)
{
	static const char *const bad[] = {"", "3", "3 of 104 calls", "3 of 104 calls, 1 cut, 2 open, 987 ticks, of f", ", buckets",
		"3 of 104 calls, 1 cut, 2 open, 987 ticks, of f, buckets 7", "3 of 104 calls, 1 cut, 2 open, 987 ticks, of f, buckets 7:",
		"3 of 104 calls, 1 cut, 2 open, 987 ticks, of f, buckets 99999:1", "3 of 104 calls, 1 cut, 2 open, 987 ticks, of f, buckets -1:1",
		"3 of 104 calls, 1 cut, 2 open, 987 ticks, of f, buckets 7:1x", "3 of x calls, 1 cut, 2 open, 987 ticks, of f, buckets 7:1",
		"3 of 2 calls, 0 cut, 0 open, 987 ticks, of f, buckets 7:2", "1 of 2 calls, 2 cut, 0 open, 987 ticks, of f, buckets 7:2",
		"1 of 2 calls, 0 cut, 2 open, 987 ticks, of f, buckets 7:2", "1 of 2 calls, 0 cut, 0 open, 987 ticks, of f, buckets 7:3",
		"1 of 2 calls, 0 cut, 0 open, 987 ticks, of f, buckets 7:1", "1 of -1 calls, 0 cut, 0 open, 987 ticks, of f, buckets 7:2",
		"1 of 2 calls, 0 cut, 0 open, 987 ticks, of f, buckets 7:3 9:18446744073709551615"};
	struct kept_slowest kept_slowest = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		kept_slowest_add(&kept_slowest, bad[i]);
	CHECK_EQ(kept_slowest.count, 0);
	for (uint32_t i = 0; i < KEPT_SLOWEST_MAX + 5; i++)
		kept_slowest_add(&kept_slowest, "1 of 1 calls, 0 cut, 0 open, 1 ticks, of f, buckets 1:1");
	CHECK_EQ(kept_slowest.count, KEPT_SLOWEST_MAX);
	kept_slowest_clear(&kept_slowest);
}

int main(void)
{
	RUN(reads_what_is_written);
	RUN(passes_over_the_rest);
	return tap_done();
}
