/* The same events with all calls in the file, and with none: whoever reads the sums has what all events give, to the tick. */
#include "both_ways.h"

/* But CPU time, which sums have not. */
#define USUAL                                                                                                                      \
	(JUMPS | SWAPS | ENDS | PAUSES | HOLES | VALUES | WINDOWS | MARKS | EXITS | UNKNOWN | ENTRIES | LEFT | LATE | TURN | BACK)

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

/* What the thread was held up is a term of its own, and in no call's time. */
TEST(held_up)
{
	static const uint32_t with = HOLDS | (USUAL & ~(uint32_t)(ENDS | LATE | TURN | BACK));

	try_streams(&(struct plan){.with = with, .limit_ticks = COUNTED, .sameness = SAME_PATHS}, 700);
	try_streams(&(struct plan){.with = with | LOSTS, .limit_ticks = COUNTED, .sameness = SAME_TOTALS}, 300);
	try_streams(
		&(struct plan){.with = with | BEFORE | ENDS | LATE | TURN | BACK, .limit_ticks = COUNTED, .sameness = SAME_SPANS},
		300);
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

/* Of more paths than there may be at a time. */
TEST(deep)
{
	struct plan plan = {.seed = 1, .rare = 20, .deep = 100000, .run = 30000, .limit_ticks = COUNTED};

	plan.steps = 150000;
	plan.sameness = SAME_TIMES;
	try_plan(&plan);
	/* When they are all open at the end, the innermost are not told; their time is. */
	plan.steps = 250000;
	plan.sameness = SAME_SPANS;
	try_plan(&plan);
}

/* Of more than are remembered, those that have waited longest are given up: by who counts as by who reads. */
TEST(stacks_without_end)
{
	try_plan(&(struct plan){
		.seed = 1, .with = LEFT, .steps = 80000, .run = 6000, .limit_ticks = COUNTED, .sameness = SAME_PATHS});
}

int main(void)
{
	begin_files();
	RUN(long_streams);
	RUN(all_kinds);
	RUN(held_up);
	RUN(calls_that_began_in_gaps);
	RUN(calls_that_began_before);
	RUN(deep);
	RUN(stacks_without_end);
	return tap_done();
}
