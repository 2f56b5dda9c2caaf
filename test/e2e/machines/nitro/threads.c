/* Three threads, each with a buffer of its own, that count into the same statistics; once one after the other, once all at a
 * time. What a call costs is the same, since what other threads took is not in it. */
#include "threads.h"

#define CALLS 60

static u32 buffers[3][0x4000 / sizeof(u32)];
static u32 statistics[2][0x400 / sizeof(u32)];
static u32 *now;
static volatile int turn;

void light(void) __attribute__((noinline));
void heavy(void) __attribute__((noinline));
void both(void) __attribute__((noinline));

#pragma profile off
__attribute__((noinline)) static void spin(int count)
{
	for (volatile int i = 0; i < count; i++)
		;
}

/* Two threads may want to count at a time, and one is told to come again; here they take turns. */
static void count_up(int own)
{
	while (turn != own)
		;
	OS_CalcStatistics(now);
	turn++;
}
#pragma profile reset

void light(void)
{
	spin(20000);
}

void heavy(void)
{
	spin(60000);
}

void both(void)
{
	light();
	heavy();
}

#pragma profile off
static void first(void)
{
	OS_InitFunctionCost(buffers[0], sizeof buffers[0]);
	for (int i = 0; i < CALLS; i++)
		light();
	count_up(0);
}

static void second(void)
{
	OS_InitFunctionCost(buffers[1], sizeof buffers[1]);
	for (int i = 0; i < CALLS; i++)
		heavy();
	count_up(1);
}

static void third(void)
{
	OS_InitFunctionCost(buffers[2], sizeof buffers[2]);
	for (int i = 0; i < CALLS; i++)
		both();
	count_up(2);
}

static void (*functions[3])(void) = {first, second, third};

void TwlMain(void)
{
	OS_Init();
	OS_InitTick();
	now = statistics[0];
	OS_InitStatistics(now, sizeof statistics[0]);
	for (int i = 0; i < 3; i++) {
		functions[i]();
		OS_ReleaseProfile(0);
	}
	now = statistics[1];
	OS_InitStatistics(now, sizeof statistics[1]);
	turn = 0;
	threads_begin();
	for (int i = 0; i < 3; i++)
		thread_start(&functions[i]);
	threads_wait();
	OS_Printf("one after the other\n");
	OS_DumpStatisticsInclusive(statistics[0]);
	OS_Printf("all at a time\n");
	OS_DumpStatisticsInclusive(statistics[1]);
#ifndef __linux__
	OS_Printf("%u switches\n", (unsigned)kernel_switches);
	finish(0);
#endif
}
