/* Three threads that take turns and read the clock themselves, at the beginning and at the end of each function: by the kernel's
 * account of how long a thread ran. What was measured is that, but for what the calls of the hooks take. */
#include <nitro.h>

#include "kernel.h"

#define CALLS 60

enum { LIGHT, HEAVY, BOTH, FUNCTIONS };

static u32 buffers[3][0x4000 / sizeof(u32)], statistics[0x400 / sizeof(u32)];
static volatile int turn;

/* Of each thread. */
static struct account {
	u32 calls, self, total;
} accounts[3][FUNCTIONS];

void light(int thread) __attribute__((noinline));
void heavy(int thread) __attribute__((noinline));
void both(int thread) __attribute__((noinline));

#pragma profile off
__attribute__((noinline)) static void spin(int count)
{
	for (volatile int i = 0; i < count; i++)
		;
}

/* It began at the tick, and so much of it was callees'. */
__attribute__((noinline)) static void end(int thread, int function, u32 begin, u32 callees)
{
	struct account *account = &accounts[thread][function];
	u32 total = kernel_ran() - begin;

	account->calls++;
	account->total += total;
	account->self += total - callees;
}
#pragma profile reset

void light(int thread)
{
	u32 begin = kernel_ran();

	spin(2000);
	end(thread, LIGHT, begin, 0);
}

void heavy(int thread)
{
	u32 begin = kernel_ran();

	spin(20000);
	end(thread, HEAVY, begin, 0);
}

void both(int thread)
{
	u32 begin = kernel_ran(), callees = accounts[thread][LIGHT].total + accounts[thread][HEAVY].total;

	light(thread);
	spin(5000);
	heavy(thread);
	end(thread, BOTH, begin, accounts[thread][LIGHT].total + accounts[thread][HEAVY].total - callees);
}

#pragma profile off
static void work(int thread, void (*function)(int))
{
	OS_InitFunctionCost(buffers[thread], sizeof buffers[thread]);
	for (int i = 0; i < CALLS; i++)
		function(thread);
	while (turn != thread)
		;
	OS_CalcStatistics(statistics);
	turn++;
}

static void first(void)
{
	work(0, light);
}

static void second(void)
{
	work(1, heavy);
}

static void third(void)
{
	work(2, both);
}

void NitroMain(void)
{
	static const char *const names[FUNCTIONS] = {"light", "heavy", "both"};

	OS_Init();
	OS_InitTick();
	OS_InitStatistics(statistics, sizeof statistics);
	kernel_begin();
	kernel_start(first);
	kernel_start(second);
	kernel_start(third);
	kernel_wait_for_all();
	OS_DumpStatisticsInclusive(statistics);
	for (int i = 0; i < FUNCTIONS; i++) {
		struct account all = {0, 0, 0};

		for (int thread = 0; thread < 3; thread++) {
			all.calls += accounts[thread][i].calls;
			all.self += accounts[thread][i].self;
			all.total += accounts[thread][i].total;
		}
		OS_Printf("own %s: count %u, cost %u, inclusive %u\n", names[i], (unsigned)all.calls, (unsigned)all.self, (unsigned)all.total);
	}
	OS_Printf("%u switches\n", (unsigned)kernel_switches);
	finish(0);
}
