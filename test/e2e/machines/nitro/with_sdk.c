/* A program of somebody who has an SDK (sdk/): what it prints and measures goes through that. Its clock moves only when it is told
 * to, so what each call costs is known. */
#include "sdk/sdk.h"

static u32 buffers[2][0x1000 / sizeof(u32)];
static u32 statistics[0x400 / sizeof(u32)];

void inner(void);
void outer(void);

__attribute__((noinline)) void inner(void)
{
	sdk_pass(3);
#ifdef TRACE
	OS_DumpCallTrace();
#endif
	OS_YieldThread();
	sdk_pass(4);
}

__attribute__((noinline)) void outer(void)
{
	sdk_pass(1);
	inner();
	sdk_pass(2);
}

#pragma profile off
#ifdef TRACE
void NitroMain(void)
{
	(void)statistics;
	OS_Init();
	OS_InitCallTrace(buffers[0], sizeof buffers[0], OS_CALLTRACE_LOG);
	outer();
#else
static void run(int which)
{
	OS_InitFunctionCost(buffers[which], sizeof buffers[which]);
	for (int i = 0; i < 10; i++)
		outer();
	OS_CalcStatistics(statistics);
}

static void first(void)
{
	run(0);
}

static void second(void)
{
	run(1);
}

void NitroMain(void)
{
	OS_Init();
	OS_InitFunctionCost(buffers[0], sizeof buffers[0]); /* refused: the tick comes first */
	OS_InitTick();
	OS_InitStatistics(statistics, sizeof statistics);
	OS_CreateThread(first);
	OS_CreateThread(second);
	OS_JoinThreads();
	OS_DumpStatistics(statistics);
	OS_SetTick(7); /* of the same object as the tick that the profiler reads */
	OS_PutString(OS_GetTickLo() == 7 && sdk_is_up && OS_GetTicksPerSecond() == TICKS_PER_SECOND ? "the SDK's\n" : "something else's\n");
#endif
#ifndef __linux__
	{
		void finish(int status);

		finish(0);
	}
#endif
}
