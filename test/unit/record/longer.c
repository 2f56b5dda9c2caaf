/* The same events with all calls in the file, and with short ones counted: whoever reads either has the same functions, the same
 * paths, the same threads, to the tick. */
#include "both_ways.h"

/* Stamps that go back make no times at which the thread could have been off the CPU. */
#define IN_ORDER                                                                                                                   \
	(JUMPS | SWAPS | ENDS | LOSTS | HOLES | PAUSES | VALUES | WINDOWS | MARKS | EXITS | UNKNOWN | ENTRIES | LEFT | HOLDS)

TEST(long_streams)
{
	static const uint32_t some[] = {0, VALUES | WINDOWS, MARKS, JUMPS, SWAPS | ENDS, LOSTS | PAUSES | HOLDS, IN_ORDER};

	for (uint32_t i = 0; i < sizeof some / sizeof *some; i++)
		try_long_streams(&(struct plan){.with = some[i], .from_start = true, .sameness = SAME_PATHS}, 4);
}

TEST(all_kinds)
{
	try_streams(&(struct plan){.with = IN_ORDER | LATE | TURN | BACK, .from_start = true, .sameness = SAME_PATHS}, 900);
}

TEST(off_the_cpu)
{
	try_streams(&(struct plan){.with = IN_ORDER, .switches = true, .from_start = true, .sameness = SAME_PATHS}, 400);
	try_long_streams(&(struct plan){.with = JUMPS | MARKS, .switches = true, .from_start = true, .sameness = SAME_PATHS}, 4);
}

/* What turns out to have been called by a call that began before the data, only the events tell. */
TEST(calls_that_began_before)
{
	try_streams(&(struct plan){.with = IN_ORDER | BEFORE, .sameness = SAME_TIMES}, 300);
}

/* Of more paths than there may be: what finds no room is listed. */
TEST(deep)
{
	static const uint64_t limits[] = {150, UINT64_C(1) << 40};

	for (uint32_t i = 0; i < 2; i++)
		try_plan(&(struct plan){.seed = 1, .rare = 20, .deep = 100000, .steps = 150000, .run = 30000, .from_start = true,
			.limit_ticks = limits[i], .sameness = SAME_TOTALS});
}

/* It must be worth it: of calls that are nearly all short, nearly none is left. */
TEST(is_small)
{
	struct plan plan = {.seed = 3, .rare = 1, .steps = 100000, .run = 3000, .from_start = true};
	uint32_t sums = 0;
	uint64_t all = write_file(&plan, 0, &sums), listed = write_file(&plan, 100000, &sums);

	CHECK(listed * 20 < all);
	CHECK(sums > 0);
}

int main(void)
{
	begin_files();
	RUN(long_streams);
	RUN(all_kinds);
	RUN(off_the_cpu);
	RUN(calls_that_began_before);
	RUN(deep);
	RUN(is_small);
	return tap_done();
}
