/* Steps of a clock, found from how far readings are apart. */
#include "check.h"
#include "record/session/clock_point.h"

#define READINGS 2048u

static uint32_t seed;

static uint32_t random_below(uint32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)seed * limit >> 32);
}

/* Readings that are apart by some 20 ticks and what lies between, on a clock of that step that is off by up to so many. One of
 * fifty is an interrupt. */
static uint32_t find(uint32_t step, uint32_t off)
{
	uint32_t distances[READINGS], at = 0;

	seed = step * 7 + off;
	for (uint32_t i = 0; i < READINGS; i++) {
		uint32_t next = at + 20 + i % 64 * 2 + random_below(5) + (random_below(50) ? 0 : random_below(100000));

		distances[i] = next / step * step - at / step * step + (step > 1 ? random_below(off + 1) : 0);
		at = next;
	}
	return clock_point_step_of(distances, READINGS);
}

TEST(steps_are_found)
{
	CHECK_EQ(find(25, 0), 25);
	CHECK_EQ(find(24, 2), 24);
	CHECK_EQ(find(10, 1), 10);
	CHECK_EQ(find(40, 4), 40);
}

TEST(a_clock_without_steps_has_none)
{
	CHECK_EQ(find(1, 0), 0);
	CHECK_EQ(find(2, 0), 0);
	CHECK_EQ(find(3, 0), 0);
}

/* Too few groups to tell: readings that all take as long. */
TEST(few_readings_tell_nothing)
{
	uint32_t distances[100];

	for (uint32_t i = 0; i < 100; i++)
		distances[i] = 50 + i % 2 * 25;
	CHECK_EQ(clock_point_step_of(distances, 100), 0);
}

/* The clock of this machine, whatever it is: no step, or one that a clock may have. */
TEST(the_clock_here)
{
	uint32_t step = clock_point_find_step();

	CHECK(step == 0 || (step >= 4 && step < 1000));
}

int main(void)
{
	RUN(steps_are_found);
	RUN(a_clock_without_steps_has_none);
	RUN(few_readings_tell_nothing);
	RUN(the_clock_here);
	return tap_done();
}
