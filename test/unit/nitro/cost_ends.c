/* Function cost of calls that are not seen to end, as longjmp leaves them; and a dump without a call. */
#include "cost_clock.h"

TEST(nothing_measured)
{
	begin(20);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), NOTHING);
}

/* What longjmp leaves ends where the program says so: costs are as if it had returned there. */
TEST(calls_that_were_abandoned)
{
	u32 depth;

	begin(20);
	enter_at("outer", 0);
	enter_at("catches", 10);
	depth = OS_GetProfileDepth();
	CHECK_EQ(depth, 2);
	enter_at("a", 20);
	enter_at("b", 30);
	at(40); /* longjmp */
	OS_SetProfileDepth(depth);
	CHECK_EQ(OS_GetProfileDepth(), 2);
	leave_at(45);
	enter_at("next", 50);
	leave_at(57);
	leave_at(60);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "outer: count 1, cost 18\ncatches: count 1, cost 15\n"
			  "a: count 1, cost 10\nb: count 1, cost 10\nnext: count 1, cost 7\n"
			  "(2 calls abandoned: longjmp left them, and they ended where OS_SetProfileDepth was told so)\n");
}

/* The same from calls that have no line: in a buffer that is full, and while disabled. */
TEST(abandoned_without_a_line)
{
	for (u32 room = 2; room < 7; room++)
		for (u32 disabled = 0; disabled < 3; disabled++) {
			begin(room);
			enter_at("outer", 0);
			for (u32 i = 0; i < 3; i++)
				enter_at("left", 10 + i);
			if (disabled)
				OS_DisableFunctionCost();
			enter_at("unseen", 20);
			if (disabled == 2) {
				OS_EnableFunctionCost();
				enter_at("seen", 22);
			}
			CHECK_EQ(OS_GetProfileDepth(), disabled == 2 ? 6 : 5);
			OS_SetProfileDepth(1);
			CHECK_EQ(OS_GetProfileDepth(), 1);
			OS_EnableFunctionCost();
			OS_CalcStatistics(statistics);
			enter_at("next", 30);
			leave_at(35);
			leave_at(40);
			CHECK_EQ(OS_GetProfileDepth(), 0);
			OS_CalcStatistics(statistics);
			dump();
			CHECK(!strncmp(printed, "outer: count 1, cost ", 21));
			CHECK(strstr(printed, "next: count 1, cost 5\n"));
			CHECK(!strstr(printed, "entered before"));
		}
}

__attribute__((noinline)) static void summarise(void)
{
	OS_CalcStatistics(statistics);
}

/* Nobody said it: from the second time on in one place it is seen, and said. Not so where calls of before the buffer return and
 * come again. */
TEST(abandoned_and_not_said)
{
	begin(100);
	for (lines_word round = 0; round < 4; round++) {
		enter_at("loop", 10 * round);
		summarise();
		if (round < 3)
			leave_at(10 * round + 5);
	}
	CHECK(!strstr(dump(), "abandoned"));
	begin(100);
	for (lines_word round = 0; round < 4; round++) {
		enter_at("loop", 10 * round);
		enter_at("left", 10 * round + 1);
		at(10 * round + 2); /* longjmp, out of loop */
		summarise();
	}
	CHECK(strstr(dump(), "\n(6 calls abandoned, and nobody said so: the costs of callers are wrong."));
	begin(100);
	summarise();
	leave_at(1);
	leave_at(2);
	enter_at("a", 3);
	enter_at("b", 4);
	summarise();
	CHECK(!strstr(dump(), "abandoned"));
}

int main(void)
{
	RUN(nothing_measured);
	RUN(calls_that_were_abandoned);
	RUN(abandoned_without_a_line);
	RUN(abandoned_and_not_said);
	return tap_done();
}
