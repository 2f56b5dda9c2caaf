/* Everything that can be asked of the profiler, at random, on a clock that only the program moves: calls before there is a buffer,
 * while disabled, of which one half is recorded, into buffers that are full, cleared and summarised at any depth, and while the
 * thread is another one. It prints what the dumps say; on Linux, where all of it is C, the same as on the ARM, where little is. */
#include <nitro.h>

#ifndef __linux__
#include "kernel.h"
#endif

#define FUNCTIONS 4
#define DEEPEST 24
#ifndef CALLS
#define CALLS 6000
#endif
#define CLOCK_BEGIN 0xfffff000u
#include "own_clock.h"

static u32 memory[0x2000 / sizeof(u32)], statistics[0x800 / sizeof(u32)];
static u32 random_state = 815, enabled = 1;
static int depth, calls, wrong;

#pragma profile off
static u32 pick(u32 count)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 12) % count;
}

static void pass(void)
{
	move_clock(pick(4) ? pick(20) : pick(70000));
}

static void call_another(void);

/* What another thread does meanwhile is not this one's. */
static void be_away(void)
{
	void *own = OS_SwitchProfile(0);

	pass();
	if (depth < DEEPEST)
		call_another();
	pass();
	OS_SwitchProfile(own);
}

#ifdef COST
static void begin(void)
{
	OS_InitFunctionCost(memory, OS_CalcFunctionCostBufferSize(pick(3) ? 20 : 200));
}

static void another_way(u32 what)
{
	if (what < 12)
		OS_RestoreFunctionCost((BOOL)!enabled);
	else if (what < 30)
		OS_CalcStatistics(statistics);
	else if (what < 32)
		OS_ClearFunctionCostBuffer();
	else if (what < 33)
		OS_InitFunctionCost(0, 0);
	else if (what < 38)
		begin();
	else if (what < 40)
		OS_DumpStatisticsInclusive(statistics);
	else if (what < 46)
		be_away();
	enabled = (u32)OS_EnableFunctionCost();
	OS_RestoreFunctionCost((BOOL)enabled);
}
#else
static void begin(void)
{
	OSCallTraceMode mode = pick(3) ? OS_CALLTRACE_STACK : OS_CALLTRACE_LOG;

	OS_SetCallTraceRegisters(pick(2) ? 0xf : pick(16));
	OS_InitCallTrace(memory, OS_CalcCallTraceBufferSize(pick(3) ? 10 : 40), mode);
}

static void another_way(u32 what)
{
	if (what < 12)
		OS_RestoreCallTrace((BOOL)!enabled);
	else if (what < 14)
		OS_ClearCallTraceBuffer();
	else if (what < 15)
		OS_InitCallTrace(0, 0, OS_CALLTRACE_STACK);
	else if (what < 22)
		begin();
	else if (what < 27)
		OS_Printf("%u lines\n", (unsigned)OS_DumpCallTrace());
	else if (what < 32)
		be_away();
	enabled = (u32)OS_EnableCallTrace();
	OS_RestoreCallTrace((BOOL)enabled);
}
#endif

static u64 body(u32 which, const uintptr_t *arguments, const uintptr_t *given)
{
	for (int i = 0; i < 4; i++)
		wrong += arguments[i] != given[i];
	depth++;
	while (calls < CALLS) {
		u32 what = pick(1000);

		pass();
		if (what < 400 && depth < DEEPEST)
			call_another();
		else if (what < 600)
			another_way(what - 400);
		else
			break;
	}
	depth--;
	return (u64)which << 40 | 0x1234567;
}
#pragma profile reset

/* What it was given, and what it was to be given. */
static uintptr_t given[DEEPEST + 1][12];

#define FUNCTION(name, which)                                                                                                      \
	u64 name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d);                                                              \
	u64 name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)                                                               \
	{                                                                                                                          \
		const uintptr_t arguments[] = {a, b, c, d};                                                                        \
		return body(which, arguments, given[depth]);                                                                       \
	}

FUNCTION(anna, 0)
FUNCTION(berta, 1)
FUNCTION(cesar, 2)
#ifdef __linux__
FUNCTION(by_hand, 3)
#endif

#pragma profile off
#ifndef __linux__
#define SYSTEM_MODE 0x1f /* and no interrupt masked */
void keeps(void (*hook)(), const char *name, const uintptr_t *values, uintptr_t *after);
void unmask(void);

/* Calls of the hooks with all registers known. */
static u64 by_hand(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)
{
	static const char name[] = "by_hand";
	const uintptr_t arguments[] = {a, b, c, d};
	uintptr_t after[13];
	uintptr_t *values = given[depth];
	u64 result;

	keeps((void (*)())__PROFILE_ENTRY, name, values, after);
	for (int i = 1; i < 12; i++)
		wrong += after[i] != values[i];
	wrong += after[12] != SYSTEM_MODE;
	result = body(3, arguments, values);
	keeps(__PROFILE_EXIT, name, values, after);
	for (int i = 1; i < 12; i++)
		wrong += after[i] != values[i];
	wrong += after[0] != (uintptr_t)name;
	wrong += after[12] != SYSTEM_MODE;
	return result;
}
#endif

static void call_another(void)
{
	static u64 (*const functions[FUNCTIONS])(uintptr_t, uintptr_t, uintptr_t, uintptr_t) = {anna, berta, cesar, by_hand};
	u32 which = pick(FUNCTIONS);
	uintptr_t *values = given[depth];

	calls++;
	for (int i = 0; i < 12; i++)
		values[i] = (uintptr_t)pick(0xfffff);
	wrong += functions[which](values[0], values[1], values[2], values[3]) != ((u64)which << 40 | 0x1234567);
}

void NitroMain(void)
{
#ifndef __linux__
	unmask();
#endif
	call_another();
	OS_InitTick();
#ifdef COST
	OS_InitStatistics(statistics, sizeof statistics);
#else
	(void)statistics;
#endif
	begin();
	while (calls < CALLS)
		call_another();
	another_way(26);
	another_way(39);
	OS_Printf("%d wrong\n", wrong);
#ifndef __linux__
	finish(0);
#endif
}
