/* On the CPU, waiting, preempted and not known: together the time, however it is rounded. */
#include "check.h"

#include "analysis/off_cpu_columns.h"

static void check_sum(uint64_t time, struct off_cpu_parts parts)
{
	CHECK_EQ(parts.waiting + parts.preempted, parts.off);
	CHECK_EQ(parts.cpu + parts.off + parts.unknown, time);
}

TEST(parts)
{
	const struct off_cpu_ticks off = {.ticks = 50, .preempted_ticks = 20, .unknown_ticks = 7, .held_ticks = 1000};
	const struct clock_map clock = {.ns_per_tick = 1};
	struct off_cpu_parts parts = off_cpu_divide(100, off_cpu_round(&clock, &off));

	check_sum(100, parts);
	CHECK_EQ(parts.cpu, 43);
	CHECK_EQ(parts.waiting, 30);
	CHECK_EQ(parts.preempted, 20);
	CHECK_EQ(parts.unknown, 7);
	CHECK(!parts.is_undivided);
	/* While a call is open, its time may be less than what is in it. */
	for (uint64_t time = 0; time <= 60; time++)
		check_sum(time, off_cpu_divide(time, off_cpu_round(&clock, &off)));
}

TEST(a_call_that_is_not_known)
{
	struct off_cpu_ticks off = {.ticks = 50, .preempted_ticks = 20};
	const struct clock_map clock = {.ns_per_tick = 1};
	struct cell cells[OFF_CPU_COLUMNS];
	struct off_cpu_parts known = off_cpu_divide_call(100, &off, false, &clock);
	struct off_cpu_parts unknown = off_cpu_divide_call(100, &off, true, &clock);

	check_sum(100, known);
	check_sum(100, unknown);
	CHECK_EQ(known.waiting, 30);
	CHECK_EQ(unknown.unknown, 100);
	off.unknown_ticks = 1;
	CHECK(off_cpu_divide_call(100, &off, false, &clock).is_undivided);
	off_cpu_set_cells(cells, &unknown, &known);
	CHECK(cells[OFF_CPU_TOTAL_WAITING].absent && cells[OFF_CPU_TOTAL_PREEMPTED].absent && !cells[OFF_CPU_TOTAL_UNKNOWN].absent);
	CHECK_EQ(cells[OFF_CPU_TOTAL_UNKNOWN].count, 100);
	CHECK(!cells[OFF_CPU_SELF_WAITING].absent && !cells[OFF_CPU_SELF_PREEMPTED].absent);
	CHECK_EQ(cells[OFF_CPU_SELF_WAITING].count, 30);
	CHECK_EQ(cells[OFF_CPU_SELF_PREEMPTED].count, 20);
}

/* 3 ticks a nanosecond: rounded one by one, thirds would be nothing. */
TEST(steps)
{
	const struct clock_map clock = {.ns_per_tick = 1.0 / 3};
	struct off_cpu_ticks sum = {0}, one = {.ticks = 2, .preempted_ticks = 1, .unknown_ticks = 2};
	uint64_t off = 0, preempted = 0, not_on_cpu = 0;

	for (int i = 0; i < 300; i++) {
		struct off_cpu_ns ns = off_cpu_round_step(&clock, &sum, &one);

		check_sum(2, off_cpu_divide(2, ns));
		off += ns.off;
		preempted += ns.preempted;
		not_on_cpu += ns.not_on_cpu;
	}
	CHECK_EQ(preempted, 100);
	CHECK_EQ(off, 200);
	CHECK_EQ(not_on_cpu, 400);
}

int main(void)
{
	RUN(parts);
	RUN(a_call_that_is_not_known);
	RUN(steps);
	return tap_done();
}
