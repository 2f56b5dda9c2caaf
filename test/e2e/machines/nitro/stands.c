/* A program whose buffers are fetched while it stands still: in the midst of calls, or with what it measured. What it prints of
 * them is what is to be found in them. */
#include "kernel.h"

#include <nitro.h>

#pragma profile off
__attribute__((noinline, noreturn)) static void stand(void)
{
	OS_Printf("stands\n");
	for (;;)
		;
}
#pragma profile reset

#ifdef TRACE
static u32 buffer[0x300 / sizeof(u32)];

int test1(int a) __attribute__((noinline));
int test2(int a) __attribute__((noinline));
int test3(int a) __attribute__((noinline));

int test3(int a)
{
#pragma profile off
	__asm__ volatile("" ::: "memory");
	if (a == 0x203) {
		OS_DumpCallTrace();
		stand();
	}
	return a + 4;
#pragma profile reset
}
#pragma profile on
int test2(int a)
{
	return test3(a + 2) + 1;
}
int test1(int a)
{
	return test2(a + 1) + 1;
}

void NitroMain(void)
{
	OS_Init();
#ifdef REGISTERS
	OS_SetCallTraceRegisters(REGISTERS);
#endif
	OS_InitCallTrace(buffer, sizeof buffer, TRACE);
	test1(0x100);
	test1(0x200);
}
#else
/* Two threads that take turns; what each measured is kept as it was before it is counted. */
#define CALLS 40

static u32 buffers[2][0x2000 / sizeof(u32)];
u32 saved[2][0x2000 / sizeof(u32)];
static u32 statistics[0x300 / sizeof(u32)];
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

static void keep(int own)
{
	OS_DisableFunctionCost();
	for (unsigned i = 0; i < sizeof saved[0] / sizeof saved[0][0]; i++)
		saved[own][i] = buffers[own][i];
	while (turn != own)
		;
	OS_CalcStatistics(statistics);
	turn++;
}
#pragma profile reset

void light(void)
{
	spin(2000);
}

void heavy(void)
{
	spin(6000);
}

void both(void)
{
	light();
	heavy();
	light();
}

#pragma profile off
static void first(void)
{
	OS_InitFunctionCost(buffers[0], sizeof buffers[0]);
	for (int i = 0; i < CALLS; i++)
		both();
	keep(0);
}

static void second(void)
{
	OS_InitFunctionCost(buffers[1], sizeof buffers[1]);
	for (int i = 0; i < 2 * CALLS; i++)
		heavy();
	keep(1);
}

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
	OS_InitStatistics(statistics, sizeof statistics);
	kernel_begin();
	kernel_start(first);
	kernel_start(second);
	kernel_wait_for_all();
	OS_DumpStatisticsInclusive(statistics);
	stand();
}
#endif
