/* How many bytes of stack OS_CalcStatistics takes, with calls that are open, and that are more than it has rows for. */
#include <nitro.h>

#define WORDS 1024

static u32 buffer[0x1000];
static u32 statistics[0x100];
static u32 used;

/* Below the stack pointer nothing is of use: the marks that a call changes are those of the stack that it takes. */
static void measure(void)
{
	volatile u32 *sp;

	__asm__ volatile("mov %0, sp" : "=r"(sp));
	for (int i = 1; i <= WORDS; i++)
		sp[-i] = 0x5a5aa5a5u ^ (u32)i;
	OS_CalcStatistics(statistics);
	for (int i = 1; i <= WORDS; i++)
		if (sp[-i] != (0x5a5aa5a5u ^ (u32)i) && used < (u32)i * 4)
			used = (u32)i * 4;
}

__attribute__((noinline)) static int goes_down(int depth)
{
	int sum = depth;
	if (depth > 0)
		sum += goes_down(depth - 1);
	else
		measure();
	return sum * 3;
}

__attribute__((noinline)) static int one(int a)
{
	return a + 1;
}

__attribute__((noinline)) static int two(int a)
{
	return one(a) + 2;
}

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
	OS_InitFunctionCost(buffer, sizeof buffer);
	OS_InitStatistics(statistics, 180);
	two(1);
	measure();
	goes_down(40);
	measure();
	OS_InitStatistics(statistics, sizeof statistics);
	two(1);
	goes_down(40);
	measure();
	OS_DumpStatistics(statistics);
	OS_Printf("%u bytes of stack\n", (unsigned)used);
}
