/* What a sample stands for: the first one of a timer half a period more. */
#include "check.h"
#include "sample/perf/perf_set.h"
#include "sample/sampled_timers.h"

/* A thread's life in samples of a timer that begins with it. */
static uint64_t live(uint64_t ns, uint64_t period)
{
	struct sampled_timers timers = {0};
	uint64_t sum = 0;

	for (uint64_t at = period; at <= ns; at += period)
		sum += period + (sampled_timers_is_first(&timers, 3) ? period / 2 : 0);
	sampled_timers_clear(&timers);
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

/* Each timer has one first sample; of one that is not known nothing is assumed. */
TEST(each_timer_once)
{
	struct sampled_timers timers = {0};

	for (int round = 0; round < 3; round++)
		for (uint64_t timer = 4000; timer; timer--)
			CHECK_EQ(sampled_timers_is_first(&timers, UINT64_C(0x100000000) + timer), round == 0);
	CHECK(!sampled_timers_is_first(&timers, PERF_TIMER_NONE));
	sampled_timers_clear(&timers);
}

/* However many threads there ever were: those that live on are still known, and the memory has a bound. */
TEST(many_timers)
{
	struct sampled_timers timers = {0};

	for (uint64_t timer = 2; timer < 10 * SAMPLED_TIMERS_KEPT; timer++) {
		CHECK_EQ(sampled_timers_is_first(&timers, 1), timer == 2);
		if (!CHECK(sampled_timers_is_first(&timers, timer)))
			break;
		CHECK(!sampled_timers_is_first(&timers, timer));
	}
	CHECK(timers.newer.count + timers.older.count <= 2 * SAMPLED_TIMERS_KEPT);
	sampled_timers_clear(&timers);
}

int main(void)
{
	RUN(nothing_is_lost);
	RUN(each_timer_once);
	RUN(many_timers);
	return tap_done();
}
