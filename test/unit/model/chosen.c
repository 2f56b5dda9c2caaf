/* What a recorder says of calls that it did not keep: read as it is written, and passed over where it is anything else. */
#include <string.h>

#include "check.h"
#include "model/profile/chosen.h"

TEST(reads_what_is_written)
{
	struct chosen chosen = {0};

	chosen_add(&chosen, "3 of 104 calls, 1 cut, 2 open, 987 ticks, of f(int, buckets 7:1), buckets 7:100 64:3 65:1");
	CHECK_EQ(chosen.count, 1);
	if (chosen.count == 1) {
		const struct chosen_function *function = &chosen.functions[0];

		CHECK(!strcmp(function->name, "f(int, buckets 7:1)"));
		CHECK_EQ(function->kept, 3);
		CHECK_EQ(function->calls, 104);
		CHECK_EQ(function->cut, 1);
		CHECK_EQ(function->open, 2);
		CHECK_EQ(function->total_ticks, 987);
		CHECK_EQ(function->histogram.count, 104);
		CHECK_EQ(histogram_percentile(&function->histogram, 0.5), 7);
	}
	chosen_clear(&chosen);
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
	struct chosen chosen = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		chosen_add(&chosen, bad[i]);
	CHECK_EQ(chosen.count, 0);
	for (uint32_t i = 0; i < CHOSEN_MAX + 5; i++)
		chosen_add(&chosen, "1 of 1 calls, 0 cut, 0 open, 1 ticks, of f, buckets 1:1");
	CHECK_EQ(chosen.count, CHOSEN_MAX);
	chosen_clear(&chosen);
}

int main(void)
{
	RUN(reads_what_is_written);
	RUN(passes_over_the_rest);
	return tap_done();
}
