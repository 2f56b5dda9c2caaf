/* A clock, or a board, that was compiled with PROFILE calls itself. */
#include <nitro.h>

static u32 buffer[0x400];
static u32 statistics[0x100];
static u64 now;

__attribute__((noinline)) static u64 counts(void)
{
	return now += 10;
}

#ifdef __arm__
u32 OS_GetTickLo(void)
{
	return (u32)counts();
}
#else
u64 OS_GetTick(void)
{
	return counts();
}
#endif

__attribute__((noinline)) static int works(int a)
{
	return a + 1;
}

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
	OS_InitFunctionCost(buffer, sizeof buffer);
	OS_InitStatistics(statistics, sizeof statistics);
	works(1);
	OS_CalcStatistics(statistics);
	OS_Printf("and it goes on\n");
}
