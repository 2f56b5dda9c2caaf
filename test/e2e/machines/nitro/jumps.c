/* longjmp out of three calls, again and again: the program says where they end, or (-DSILENT) does not, or (-DCLEARS, too) clears
 * its buffer instead. A function with hooks makes the summaries, each time or (-DONCE) at the end, or (-DUNHOOKED) one without. */
#include <nitro.h>

#ifdef __arm__ /* without a C library */
typedef void *jmp_buf[5];
#define setjmp(there) __builtin_setjmp(there)
#define longjmp(there, value) __builtin_longjmp(there, value)
#else
#include <setjmp.h>
#endif

static u32 buffer[0x10000 / sizeof(u32)], statistics[0x1000 / sizeof(u32)];
static jmp_buf back;
static volatile int rounds;

__attribute__((noinline)) void jumps(void)
{
	rounds++;
	longjmp(back, 1);
}

__attribute__((noinline)) void middle(void)
{
	jumps();
	rounds--;
}

__attribute__((noinline)) void outer(void)
{
	middle();
	rounds--;
}

__attribute__((noinline)) void catches(void)
{
	u32 depth = OS_GetProfileDepth();

	if (!setjmp(back))
		outer();
#ifdef CLEARS
	else
		OS_ClearFunctionCostBuffer();
#endif
#ifdef SILENT
	(void)depth;
#else
	else
		OS_SetProfileDepth(depth);
#endif
}

__attribute__((noinline)) void after(void)
{
	rounds++;
}

#ifdef UNHOOKED
#pragma profile off
#endif
void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
	OS_InitStatistics(statistics, sizeof statistics);
	OS_InitFunctionCost(buffer, sizeof buffer);
	for (int i = 0; i < 5; i++) {
		catches();
		after();
#ifndef ONCE
		OS_CalcStatistics(statistics);
#endif
	}
#ifdef ONCE
	OS_CalcStatistics(statistics);
	OS_CalcStatistics(statistics);
#endif
	OS_DumpStatistics(statistics);
}
