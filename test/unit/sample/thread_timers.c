/* What a sample stands for: the first one of a timer half a period more. */
/* Measures time: run once more, alone, if it fails beside others (test/run). */
#include "check.h"
#include "sample/perf_set.h"
#include "sample/thread_timers.h"

/* A thread's life in samples of a timer that begins with it. */
static uint64_t live(uint64_t ns, uint64_t period)
{
	struct thread_timers timers = {0};
	uint64_t sum = 0;

	for (uint64_t at = period; at <= ns; at += period)
		sum += period + (thread_timers_first(&timers, 3) ? period / 2 : 0);
	thread_timers_clear(&timers);
	return sum;
}

/* Threads of all lengths: what is behind the last sample of one is found before the first of another. */
TEST(nothing_is_lost)
{
	double stand_for = 0, lived = 0;

	for (uint64_t ns = 1000; ns < 6000; ns++) {
		stand_for += (double)live(ns, 1000);
		lived += (double)ns;
	}
	CHECK(stand_for > 0.999 * lived && stand_for < 1.001 * lived);
	CHECK_EQ(live(999, 1000), 0);
	CHECK_EQ(live(1000, 1000), 1500);
	CHECK_EQ(live(2999, 1000), 2500);
}

/* Each of its timers has a first sample, those of a thousand processors, too; of one that is not known nothing is assumed. */
TEST(each_timer_once)
{
	struct thread_timers timers = {0};

	for (int round = 0; round < 3; round++)
		for (uint32_t timer = 4000; timer--;)
			CHECK_EQ(thread_timers_first(&timers, timer), round == 0);
	CHECK(!thread_timers_first(&timers, PERF_TIMER_NONE));
	thread_timers_clear(&timers);
}

int main(void)
{
	RUN(nothing_is_lost);
	RUN(each_timer_once);
	return tap_done();
}
