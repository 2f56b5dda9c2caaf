/* A clock that the test moves, in place of the port's: of the thread's own time, and of what it was away. And two buffers. */
#ifndef DWELL_TEST_NITRO_COST_CLOCK_H
#define DWELL_TEST_NITRO_COST_CLOCK_H

#include "classic/core/lines.h"
#include "hooked.h"
#include "classic/target/recorder/lines/cost.h"

static _Alignas(16) unsigned char buffer[1 << 17], statistics[4096];

static uint64_t state;

static inline uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

static _Thread_local lines_word now = 0xfffffff0u, away_ticks;

void nitro_port_init_tick(void)
{
}

uint64_t nitro_port_tick(void)
{
	return now;
}

uint32_t nitro_port_tick_hz(void)
{
	return 1000;
}

uintptr_t nitro_port_tick_at(void)
{
	return 0;
}

lines_word nitro_port_line_tick(struct lines_cost *cost)
{
	dwell_cost_away(cost, away_ticks);
	away_ticks = 0;
	return now;
}

static inline void pass(lines_word own, lines_word away)
{
	now += own + away;
	away_ticks += away;
}

static inline void begin(uint32_t calls)
{
	print_nothing();
	OS_InitTick();
	OS_InitFunctionCost(buffer, OS_CalcFunctionCostBufferSize((int)calls));
	OS_InitStatistics(statistics, sizeof statistics);
	CHECK_STR(printed, "");
}

static inline void at(lines_word tick)
{
	now = tick;
}

static inline void enter_at(const char *name, lines_word tick)
{
	at(tick);
	enter(name);
}

static inline void leave_at(lines_word tick)
{
	at(tick);
	leave();
}

static inline const char *dump(void)
{
	print_nothing();
	OS_DumpStatistics(statistics);
	return printed;
}

/* An empty dump says why it may be. */
#define NOTHING                                                                                                                    \
	"OS_DumpStatistics: no call was counted. OS_CalcStatistics counts those of the thread that calls it; functions that the "  \
	"compiler inlined have no PROFILE calls (-fno-inline), nor have those compiled without the plugin or "                     \
	"-finstrument-functions\n"

#endif
