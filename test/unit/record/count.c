/* The same events with all calls in the file, and with none: whoever reads the sums has what all events give, to the tick. */
#include "both_ways.h"

/* But CPU time, which sums have not. */
#define USUAL (JUMPS | SWAPS | ENDS | PAUSES | HOLES | VALUES | WINDOWS | MARKS | EXITS | UNKNOWN | ENTRIES | LATE | TURN | BACK)

TEST(long_streams)
{
	static const uint32_t some[] = {0, VALUES | WINDOWS, MARKS, JUMPS, SWAPS | ENDS, PAUSES | HOLES, USUAL};

	for (uint32_t i = 0; i < sizeof some / sizeof *some; i++)
		try_long_streams(&(struct plan){.with = some[i], .limit_ticks = COUNTED, .sameness = SAME_PATHS}, 4);
}

TEST(all_kinds)
{
	try_streams(&(struct plan){.with = USUAL, .limit_ticks = COUNTED, .sameness = SAME_PATHS}, 700);
}

/* One that was entered in a gap has the path of the function that it turned out to be, not of an unknown one. */
TEST(calls_that_began_in_gaps)
{
	try_streams(&(struct plan){.with = USUAL | LOSTS, .limit_ticks = COUNTED, .sameness = SAME_TOTALS}, 700);
}

TEST(calls_that_began_before)
{
	try_streams(&(struct plan){.with = USUAL | BEFORE, .limit_ticks = COUNTED, .sameness = SAME_TIMES}, 300);
}

int main(void)
{
	begin_files();
	RUN(long_streams);
	RUN(all_kinds);
	RUN(calls_that_began_in_gaps);
	RUN(calls_that_began_before);
	return tap_done();
}
