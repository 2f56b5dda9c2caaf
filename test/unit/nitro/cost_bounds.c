/* Function cost stays within the bytes that it is given, whatever their number: between pages that nobody may touch. */
#include "classic/core/lines.h"
#include "hooked.h"

static _Alignas(16) unsigned char buffer[1 << 16], statistics[4096];

static const char function[] = "function";

TEST(stays_within_the_buffers)
{
	OS_InitTick();
	for (uint32_t size = 0; size < 420; size++)
		for (int at_end = 0; at_end < 2; at_end++) {
			unsigned char *given = guarded(size, at_end);

			OS_InitFunctionCost(given, size);
			OS_InitStatistics(statistics, sizeof statistics);
			for (uint32_t i = 0; i < 60; i++) {
				enter(function);
				if (i % 3)
					leave();
				if (i % 17 == 16)
					OS_CalcStatistics(statistics);
				if (i % 29 == 28)
					OS_ClearFunctionCostBuffer();
				OS_RestoreFunctionCost(i % 11 != 0);
			}
			for (uint32_t i = 0; i < 60; i++)
				leave();
			OS_CalcStatistics(statistics);
			OS_ReleaseProfile(0);
			CHECK(untouched(given, size, at_end));

			given = guarded(size, at_end);
			OS_InitFunctionCost(buffer, sizeof buffer);
			OS_InitStatistics(given, size);
			for (uint32_t i = 0; i < 60; i++) {
				static const char names[60][2] = {"?"};

				enter(names[i]);
				leave();
			}
			OS_CalcStatistics(given);
			OS_DumpStatisticsInclusive(given);
			CHECK(untouched(given, size, at_end));
		}
}

/* Bytes that were statistics, and are refused because they are fewer now. */
TEST(refused_are_none)
{
	static const uint32_t fewer[] = {0, 3, 4, 7, 32, 100};
	static unsigned char before[sizeof statistics];

	OS_InitTick();
	for (size_t i = 0; i < sizeof fewer / sizeof *fewer; i++)
		for (uint32_t skip = 0; skip < 8; skip += 3) {
			OS_InitFunctionCost(buffer, sizeof buffer);
			OS_InitStatistics(statistics + skip, sizeof statistics - skip);
			enter(function);
			leave();
			OS_CalcStatistics(statistics + skip);
			OS_InitStatistics(statistics + skip, fewer[i]);
			memcpy(before, statistics, sizeof before);
			enter("another");
			leave();
			print_nothing();
			OS_CalcStatistics(statistics + skip);
			OS_DumpStatistics(statistics + skip);
			CHECK_STR(printed, "OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n"
					   "OS_DumpStatistics: OS_InitStatistics did not make this buffer\n");
			CHECK(!memcmp(before, statistics, sizeof before));
			OS_ReleaseProfile(0);
		}
	OS_InitStatistics(statistics, sizeof statistics);
	OS_InitStatistics(statistics + 1024, 1024); /* in the middle of them */
	print_nothing();
	OS_DumpStatistics(statistics);
	CHECK_STR(printed, "OS_DumpStatistics: OS_InitStatistics did not make this buffer\n");
	print_nothing();
	OS_DumpStatistics(statistics + 1024);
	CHECK(!strncmp(printed, "OS_DumpStatistics: no call was counted", 38));
}

/* More than are kept: then what memory says holds, and a refusal is seen there. */
TEST(more_than_are_kept)
{
	enum { COUNT = 40, BYTES = 256 };
	static _Alignas(16) unsigned char many[COUNT][BYTES];

	OS_InitTick();
	OS_InitFunctionCost(buffer, sizeof buffer);
	for (size_t i = 0; i < COUNT; i++)
		OS_InitStatistics(many[i], BYTES);
	for (size_t i = 0; i < COUNT; i++) {
		enter(function);
		leave();
		OS_CalcStatistics(many[i]);
		print_nothing();
		OS_DumpStatistics(many[i]);
		CHECK(strstr(printed, "function: count 1, cost "));
		OS_InitStatistics(many[i], 32);
		print_nothing();
		OS_CalcStatistics(many[i]);
		CHECK_STR(printed, "OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n");
	}
	OS_ReleaseProfile(0);
}

int main(void)
{
	RUN(stays_within_the_buffers);
	RUN(refused_are_none);
	RUN(more_than_are_kept); /* the last one: what memory says is believed ever after */
	return tap_done();
}
