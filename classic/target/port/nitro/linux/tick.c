/* SPDX-License-Identifier: MIT
 *
 * A tick is 32 ns. The program does not report switches of threads, but the system
 * measures how long each thread ran: the time away is the elapsed time minus that. */
#include "nitro.h"
#include "classic/target/port/nitro/port.h"

#define CLOCK_MONOTONIC 1
#define CLOCK_THREAD_CPUTIME_ID 3
#define TICK_SHIFT 5

struct timespec {
	long tv_sec, tv_nsec;
};

int clock_gettime(int clock, struct timespec *time);

/* At the last line: ticks away since the thread began, and the part
 * not yet added to a buffer; below 0 if the clocks differ by a tick. */
static __thread uint64_t away_ticks;
static __thread int64_t untold_ticks;

static uint64_t read_ticks(int clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return ((uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec) >> TICK_SHIFT;
}

/* With an SDK's own tick, OS_SwitchProfile adds the time away instead. */
lines_word nitro_port_line_tick(struct lines_cost *cost)
{
	uint64_t tick, away;

	if (!&nitro_tick_is_own)
		return (lines_word)OS_GetTick();
	tick = read_ticks(CLOCK_MONOTONIC);
	away = tick - read_ticks(CLOCK_THREAD_CPUTIME_ID);
	untold_ticks += (int64_t)(away - away_ticks);
	away_ticks = away;
	if (untold_ticks > 0) {
		cost->away += (lines_word)untold_ticks;
		untold_ticks = 0;
	}
	return (lines_word)tick;
}

uintptr_t nitro_port_tick_at(void)
{
	return 0;
}

void nitro_port_init_tick(void)
{
}

uint64_t nitro_port_tick(void)
{
	return read_ticks(CLOCK_MONOTONIC);
}

uint32_t nitro_port_tick_hz(void)
{
	return &nitro_tick_is_own ? 1000000000 >> TICK_SHIFT : 0;
}
