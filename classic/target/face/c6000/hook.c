/* SPDX-License-Identifier: MIT
 *
 * The hook.c of TI's application note: the buffer and the hooks, with the names of the note. Add this file
 * and hook.h to a project; -I the folders above include/, core/ and target/ (doc/hooks.md).
 * With HOOK_CIRCULAR, the hooks with the compilers' own names are the circular ones.
 *
 * C of 1989, see classic/target/recorder/records/records.h. */

/* The pragmas exclude the hooks from hooking, and give the hooks sections of code for the linker's commands
 * to place. TI's compiler needs pragmas before the first declaration, so the pragmas come first. */
#ifdef __TI_COMPILER_VERSION__
#pragma CODE_SECTION(entry_hook, ".text:hook_funcs")
#pragma CODE_SECTION(exit_hook, ".text:hook_funcs")
#pragma CODE_SECTION(task_switch_hook, ".text:hook_funcs")
#pragma CODE_SECTION(entry_hook_circular, ".text:hook_funcs_circular")
#pragma CODE_SECTION(exit_hook_circular, ".text:hook_funcs_circular")
#pragma CODE_SECTION(task_switch_hook_circular, ".text:hook_funcs_circular")
#pragma NO_HOOKS(hook_init)
#pragma NO_HOOKS(hook_tick)
#pragma NO_HOOKS(begin_if_clock_counts)
#pragma NO_HOOKS(entry_hook)
#pragma NO_HOOKS(exit_hook)
#pragma NO_HOOKS(task_switch_hook)
#pragma NO_HOOKS(entry_hook_circular)
#pragma NO_HOOKS(exit_hook_circular)
#pragma NO_HOOKS(task_switch_hook_circular)
#pragma NO_HOOKS(__entry_hook)
#pragma NO_HOOKS(__exit_hook)
#pragma NO_HOOKS(__task_switch_hook)
#pragma DATA_SECTION(ProfileData, ".far:External_NonCache_Data")
#pragma DATA_SECTION(dwell_hook_control, ".far:External_NonCache_Data")
#endif

#include "hook.h"

#include "classic/target/recorder/records/records.h"

#if MAX_PROFILE_RECORD_NUM < 2
#error "MAX_PROFILE_RECORD_NUM: two records at the least"
#endif
#if defined(HOOK_CIRCULAR) && !HOOK_CAN_BE_CIRCULAR
#error "MAX_PROFILE_RECORD_NUM: a circular buffer takes a power of two"
#endif
#if HOOK_PARM == HOOK_PARM_NONE && !defined(HOOK_RETURN_ADDRESS)
#error "HOOK_PARM_NONE: this compiler cannot tell where a function returns to; let it give an address (--entry_parm=address)"
#endif

/* hook_init() was called while the clock did not count: hook_tick() begins recording as soon as the clock counts. */
static hook_u32 hook_is_due = 0;

extern struct hook_control {
	hook_u32 magic, what;
	volatile uintptr_t word[HOOK_WORDS];
} dwell_hook_control;

HOOK_BUFFER Hook_Record ProfileData[MAX_PROFILE_RECORD_NUM];
HOOK_BUFFER struct hook_control dwell_hook_control;

/* The count and the clock belong in internal memory, side by side. */
#ifdef HOOK_PORT_HOOKS
extern struct hook_state dwell_hook_state;
extern unsigned int uiProfileDataCnt HOOK_ALIAS(dwell_hook_state);
struct hook_state dwell_hook_state = HOOK_STATE_BEGIN((hook_u32 *)ProfileData, MAX_PROFILE_RECORD_NUM);
#define HOOK_COUNT (&dwell_hook_state.count)
#define HOOK_CLOCK (&dwell_hook_state.clock)
#else
unsigned int uiProfileDataCnt = HOOK_COUNT_OFF;
extern struct hook_clock dwell_hook_clock;
struct hook_clock dwell_hook_clock = HOOK_CLOCK_BEGIN;
#define HOOK_COUNT ((volatile hook_u32 *)&uiProfileDataCnt)
#define HOOK_CLOCK (&dwell_hook_clock)
#endif

/* Begins with the first record, if the clock counts. Context: handlers masked. */
HOOK_INLINE void begin_if_clock_counts(void)
{
	hook_is_due = !hook_port_start(HOOK_CLOCK);
	if (hook_is_due)
		return;
	dwell_hook_control.word[HOOK_WORD_STATE] = HOOK_PORT_WRAPS ? HOOK_STATE_WRAPS : 0;
	*HOOK_COUNT = 0;
}

/* While the count is off, the hooks record nothing, so handlers with hooks may come at any
 * instruction. All records are invalid (all ones) before the hooks may write the first record.
 * If a handler interrupts hook_init() and calls hook_init(), the handler's restart is lost. */
HOOK_CODE(hook_init) void hook_init(void)
{
	hook_u32 *words = (hook_u32 *)ProfileData;
	hook_port_held held;
	hook_u32 i;

	*HOOK_COUNT = HOOK_COUNT_OFF;
	for (i = 0; i < RECORD_WORDS * (hook_u32)MAX_PROFILE_RECORD_NUM; i++)
		((volatile hook_u32 *)words)[i] = HOOK_RECORD_INVALID;
	dwell_hook_control.magic = HOOK_MAGIC;
	dwell_hook_control.what = HOOK_WHAT(HOOK_PARM, sizeof(uintptr_t));
	dwell_hook_control.word[HOOK_WORD_SELF] = (uintptr_t)&dwell_hook_control;
	dwell_hook_control.word[HOOK_WORD_RECORDS] = (uintptr_t)words;
	dwell_hook_control.word[HOOK_WORD_CAPACITY] = MAX_PROFILE_RECORD_NUM;
	dwell_hook_control.word[HOOK_WORD_COUNT_AT] = (uintptr_t)HOOK_COUNT;
	dwell_hook_control.word[HOOK_WORD_HZ] = HOOK_PORT_HZ;
	dwell_hook_control.word[HOOK_WORD_STATE] = HOOK_STATE_NO_CLOCK;
	dwell_hook_control.word[HOOK_WORD_MISSED] = 0;
	held = hook_port_hold();
	begin_if_clock_counts();
	hook_port_release(held);
}

HOOK_CODE(hook_tick) void hook_tick(void)
{
	hook_port_held held = hook_port_hold();
	hook_u32 low, high;

	if (*HOOK_COUNT != HOOK_COUNT_OFF)
		hook_port_now(HOOK_CLOCK, &low, &high);
	else if (hook_is_due)
		begin_if_clock_counts();
	hook_port_release(held);
}

#ifndef HOOK_PORT_HOOKS
#if HOOK_PARM == HOOK_PARM_ADDRESS
#define PLACE hook_port_place((uintptr_t)func_addr)
#elif HOOK_PARM == HOOK_PARM_NAME
#define PLACE hook_port_place((uintptr_t)name)
#else
#define PLACE hook_port_place((uintptr_t)HOOK_RETURN_ADDRESS())
#endif

static const struct records hook_records = {(hook_u32 *)ProfileData, MAX_PROFILE_RECORD_NUM, HOOK_COUNT, HOOK_CLOCK};

#define LINEAR 0
#define CIRCULAR 1
#define IF_MINE if (hook_port_mine(&dwell_hook_control.word[HOOK_WORD_MISSED]))

HOOK_CODE(hook_funcs) void entry_hook(HOOK_PARAMETER)
{
	IF_MINE records_put(&hook_records, RECORD_FIRST(PLACE, HOOK_RECORD_ENTRY), LINEAR);
}

HOOK_CODE(hook_funcs) void exit_hook(HOOK_PARAMETER)
{
	IF_MINE records_put(&hook_records, RECORD_FIRST(PLACE, HOOK_RECORD_EXIT), LINEAR);
}

#define SWITCH(circular)                                                                                                           \
	records_put_switch(&hook_records, RECORD_FIRST(prevTask, HOOK_RECORD_TASK_OUT),                                            \
		RECORD_FIRST(nextTask, HOOK_RECORD_TASK_IN), circular)

HOOK_CODE(hook_funcs) void task_switch_hook(unsigned int prevTask, unsigned int nextTask)
{
	IF_MINE SWITCH(LINEAR);
}

#if HOOK_CAN_BE_CIRCULAR
HOOK_CODE(hook_funcs_circular) void entry_hook_circular(HOOK_PARAMETER)
{
	IF_MINE records_put(&hook_records, RECORD_FIRST(PLACE, HOOK_RECORD_ENTRY), CIRCULAR);
}

HOOK_CODE(hook_funcs_circular) void exit_hook_circular(HOOK_PARAMETER)
{
	IF_MINE records_put(&hook_records, RECORD_FIRST(PLACE, HOOK_RECORD_EXIT), CIRCULAR);
}

HOOK_CODE(hook_funcs_circular) void task_switch_hook_circular(unsigned int prevTask, unsigned int nextTask)
{
	IF_MINE SWITCH(CIRCULAR);
}
#endif

/* The names that compilers call: TI's names, and the names of
 * -finstrument-functions. The second argument of the latter is unused. */
#ifdef HOOK_CIRCULAR
#define ENTRY entry_hook_circular
#define EXIT exit_hook_circular
#define TASK_SWITCH task_switch_hook_circular
#else
#define ENTRY entry_hook
#define EXIT exit_hook
#define TASK_SWITCH task_switch_hook
#endif
#ifdef HOOK_ALIAS
#define ALIAS(name) HOOK_ALIAS(name)
void __entry_hook(HOOK_PARAMETER) ALIAS(ENTRY);
void __exit_hook(HOOK_PARAMETER) ALIAS(EXIT);
void __task_switch_hook(unsigned int prevTask, unsigned int nextTask) ALIAS(TASK_SWITCH);
#if HOOK_PARM == HOOK_PARM_ADDRESS
void __cyg_profile_func_enter(void *function, void *site) ALIAS(ENTRY);
void __cyg_profile_func_exit(void *function, void *site) ALIAS(EXIT);
#endif
#else
void __task_switch_hook(unsigned int prevTask, unsigned int nextTask)
{
	TASK_SWITCH(prevTask, nextTask);
}

#if HOOK_PARM == HOOK_PARM_NAME
void __entry_hook(HOOK_PARAMETER)
{
	ENTRY(name);
}

void __exit_hook(HOOK_PARAMETER)
{
	EXIT(name);
}
#else
void __entry_hook(HOOK_PARAMETER)
{
	ENTRY(func_addr);
}

void __exit_hook(HOOK_PARAMETER)
{
	EXIT(func_addr);
}
#endif
#endif
#endif
