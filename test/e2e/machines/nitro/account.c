/* Functions that call each other at random on a clock that only they move, and keep accounts of it: the statistics are those, to
 * the tick; while measuring is switched off and on and summarised at any depth, and a timer's handler with hooks interrupts the
 * hooks. */
#include <nitro.h>

#include "kernel.h"

#define FUNCTIONS 5
#define DEEPEST 40
#ifndef CALLS
#define CALLS 30000
#endif
#define CLOCK_BEGIN 0xffff0000u
#include "own_clock.h"

static u32 memory[0x4000 / sizeof(u32)], statistics[0x400 / sizeof(u32)];
static u32 own[FUNCTIONS], counts[FUNCTIONS], stack[DEEPEST + 1];
static u32 random_state = 4711;
static int depth, calls, recording = 1, summaries;

#pragma profile off
static u32 pick(u32 count)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 12) % count;
}

static void pass(void)
{
	u32 ticks = pick(30);

	move_clock(ticks);
	if (depth && recording)
		own[stack[depth - 1]] += ticks;
}

static void call_another(void);

static void body(u32 which)
{
	stack[depth++] = which;
	while (calls < CALLS) {
		u32 what = pick(1000);

		pass();
		/* Only what is entered while measured is a call; so nobody is called meanwhile. */
		if (what < 470 && depth < DEEPEST && recording) {
			call_another();
		} else if (what < 540) {
			recording = !OS_RestoreFunctionCost(!recording);
		} else if (what < 560) {
			summaries++;
			OS_CalcStatistics(statistics);
		} else {
			break;
		}
	}
	depth--;
}
#pragma profile reset

#define FUNCTION(name, which)                                                                                                      \
	void name(void);                                                                                                           \
	void name(void)                                                                                                            \
	{                                                                                                                          \
		body(which);                                                                                                       \
	}

FUNCTION(anna, 0)
FUNCTION(berta, 1)
FUNCTION(cesar, 2)
FUNCTION(dora, 3)
FUNCTION(emil, 4)

#pragma profile off
static void call_another(void)
{
	static void (*const functions[FUNCTIONS])(void) = {anna, berta, cesar, dora, emil};
	u32 which = pick(FUNCTIONS);

	calls++;
	counts[which]++;
	functions[which]();
}

void NitroMain(void)
{
	static const char *const names[FUNCTIONS] = {"anna", "berta", "cesar", "dora", "emil"};

	OS_InitTick();
	OS_InitFunctionCost(memory, sizeof memory);
	OS_InitStatistics(statistics, sizeof statistics);
	kernel_begin();
	while (calls < CALLS) {
		if (!recording)
			recording = !OS_EnableFunctionCost();
		call_another();
		OS_CalcStatistics(statistics);
	}
	OS_DumpStatistics(statistics);
	for (int i = 0; i < FUNCTIONS; i++)
		OS_Printf("account %s: count %u, cost %u\n", names[i], (unsigned)counts[i], (unsigned)own[i]);
	OS_Printf("%d summaries\n", summaries);
	finish(0);
}
