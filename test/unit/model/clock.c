/* Ticks to nanoseconds. */
#include "model/clock.h"

#include "check.h"

static struct clock_map clock_of(uint64_t hz)
{
	const struct message_header header = {.clock_hz = hz};
	struct clock_map clock;

	clock_init(&clock);
	clock_set_header(&clock, &header);
	return clock;
}

static void add(struct clock_map *clock, uint64_t ticks, uint64_t monotonic_ns)
{
	const struct message_clock point = {ticks, monotonic_ns, 1700000000000000000u + monotonic_ns};

	clock_add(clock, &point);
}

TEST(points_win_over_the_nominal_rate)
{
	struct clock_map clock = clock_of(2000000000);

	CHECK_EQ(clock_duration_ns(&clock, 2000), 1000);
	CHECK(clock.basis == CLOCK_NOMINAL);
	add(&clock, 5000, 70);
	add(&clock, 5000 + 30000000, 70 + 10000000);
	CHECK(clock.basis == CLOCK_CALIBRATED);
	CHECK_EQ(clock_duration_ns(&clock, 3000), 1000);
	CHECK_EQ(clock_moment_ns(&clock, 8000), 1000);
	CHECK_EQ(clock_moment_ns(&clock, 2000), -1000);
	CHECK_EQ(clock.origin_unix_ns, 1700000000000000070u);
}

/* A file that is read twice says its points twice; the second, early one is the poorer. */
TEST(the_farthest_points_win)
{
	struct clock_map clock = clock_of(0);

	for (int times = 0; times < 2; times++) {
		add(&clock, 0, 0);
		add(&clock, 20000000, 10005000);
		CHECK_EQ(clock_duration_ns(&clock, 20000000), times ? 10000000 : 10005000);
		add(&clock, 20000000000, 10000000000);
		CHECK_EQ(clock_duration_ns(&clock, 20000000), 10000000);
	}
}

/* Two readings of the clocks a microsecond apart say nothing about their rate. */
TEST(points_that_are_close_do_not)
{
	struct clock_map clock = clock_of(1000000000);

	add(&clock, 5000, 100);
	add(&clock, 5900, 1000);
	CHECK_EQ(clock_duration_ns(&clock, 1000), 1000);
	clock = clock_of(0);
	add(&clock, 5000, 100);
	add(&clock, 6800, 1000);
	CHECK_EQ(clock_duration_ns(&clock, 1000), 500);
}

TEST(points_that_cannot_be_are_ignored)
{
	struct clock_map clock = clock_of(1000000000);

	add(&clock, 5000000, 5000000);
	add(&clock, 5000000, 9000000);
	add(&clock, 4000000, 9000000);
	add(&clock, 9000000, 5000000);
	add(&clock, 9000000, 4000000);
	CHECK_EQ(clock_duration_ns(&clock, 1000), 1000);
	CHECK(clock.basis == CLOCK_NOMINAL);
}

TEST(without_anything_a_tick_is_a_nanosecond)
{
	struct clock_map clock = clock_of(0);

	CHECK(clock.basis == CLOCK_UNKNOWN);
	CHECK_EQ(clock_duration_ns(&clock, UINT64_MAX), UINT64_MAX);
	clock_set_origin(&clock, 500);
	clock_set_origin(&clock, 900);
	CHECK_EQ(clock_moment_ns(&clock, 600), 100);
}

/* What a file claims may be anything: no result is outside of its type. */
TEST(hostile_values)
{
	struct clock_map clock = clock_of(1);

	CHECK_EQ(clock_duration_ns(&clock, UINT64_MAX), UINT64_MAX);
	CHECK_EQ(clock_moment_ns(&clock, UINT64_MAX), CLOCK_MOMENT_MAX_NS);
	clock_set_origin(&clock, UINT64_MAX);
	CHECK_EQ(clock_moment_ns(&clock, 0), -CLOCK_MOMENT_MAX_NS);
	CHECK_EQ(CLOCK_MOMENT_MAX_NS - -CLOCK_MOMENT_MAX_NS, INT64_MAX - 1); /* the page and exports have differences of moments */
	clock = clock_of(UINT64_MAX);
	CHECK_EQ(clock_duration_ns(&clock, UINT64_MAX), 1000000000);
	add(&clock, 0, 0);
	add(&clock, 1, UINT64_MAX);
	CHECK_EQ(clock_duration_ns(&clock, 5), UINT64_MAX);
}

int main(void)
{
	RUN(points_win_over_the_nominal_rate);
	RUN(the_farthest_points_win);
	RUN(points_that_are_close_do_not);
	RUN(points_that_cannot_be_are_ignored);
	RUN(without_anything_a_tick_is_a_nanosecond);
	RUN(hostile_values);
	return tap_done();
}
