#include "record/session/clock_point.h"

#include <time.h>

#include "cpu/cpu.h"

uint32_t clock_point_machine(void)
{
	return cpu_here()->read_ticks ? cpu_here()->elf_machine : 0; /* 0: the agents tell clock points */
}

static uint64_t no_ticks(void)
{
	return 0;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct message_clock clock_point_read(void)
{
	uint64_t (*ticks)(void) = cpu_here()->read_ticks ? cpu_here()->read_ticks : no_ticks;
	struct message_clock point = {0};
	uint64_t width = UINT64_MAX;

	/* Of some tries the one that the fewest ticks went by in: nothing came in between. */
	for (int i = 0; i < 10; i++) {
		uint64_t before = ticks(), monotonic = clock_ns(CLOCK_MONOTONIC), after = ticks();

		if (after - before >= width)
			continue;
		width = after - before;
		point.ticks = before + width / 2;
		point.monotonic_ns = monotonic;
		point.unix_ns = clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_MONOTONIC) - monotonic);
	}
	return point;
}
