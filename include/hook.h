/* SPDX-License-Identifier: MIT
 *
 * hook.h: profiling by function hooks, as in TI's application note "Profiling on the C6000 using Function Hooks" (2014). Below,
 * "the note" is that document; the name behind it is the section. Each function entry, function exit and task switch becomes a
 * record of 12 bytes in one buffer. doc/hooks.md says which compiler makes the calls and how, and how the buffer gets to a host.
 *
 * Rules for all functions:
 *   One processor has one buffer. Records are atomic against interrupts.
 *   Nothing is recorded before hook_init().
 *   Errors: no function fails. While the machine's counter does not count, nothing is recorded: uiProfileDataCnt is 0xFFFFFFFF. */
#ifndef HOOK_H
#define HOOK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Size of the buffer, in records of 12 bytes. Default: 1048576, as in the note. Define the size equally where you compile hook.c
 * and where you include hook.h. The circular hooks exist only if the size is a power of two. (The note, "Implementing Hook
 * Functions") */
#ifndef MAX_PROFILE_RECORD_NUM
#define MAX_PROFILE_RECORD_NUM (1 * 1024 * 1024)
#endif
#if MAX_PROFILE_RECORD_NUM & (MAX_PROFILE_RECORD_NUM - 1)
#define HOOK_CAN_BE_CIRCULAR 0
#else
#define HOOK_CAN_BE_CIRCULAR 1
#endif

/* What the compiler passes to the hooks: the value of the compiler's options --entry_parm and --exit_parm. Define HOOK_PARM as one
 * of these three, equally where you compile hook.c and where you include hook.h. A library supports one kind. Default:
 * HOOK_PARM_ADDRESS. (The note, "Compiler Options for Function Hooks") */
#define HOOK_PARM_ADDRESS 1 /* the function's address, a multiple of 4 */
#define HOOK_PARM_NAME 2    /* the function's name: a zero-terminated string at a multiple of 4 */
#define HOOK_PARM_NONE 3    /* nothing: the record has the hook's return address. Not for TI's compiler */
#ifndef HOOK_PARM
#define HOOK_PARM HOOK_PARM_ADDRESS
#endif

#if HOOK_PARM == HOOK_PARM_ADDRESS
#define HOOK_PARAMETER void (*func_addr)(void)
#elif HOOK_PARM == HOOK_PARM_NAME
#define HOOK_PARAMETER const char *name
#elif HOOK_PARM == HOOK_PARM_NONE
#define HOOK_PARAMETER void
#else
#error "define HOOK_PARM as HOOK_PARM_ADDRESS, HOOK_PARM_NAME or HOOK_PARM_NONE"
#endif

/* What a record is about. (The note, "Implementing Hook Functions") */
typedef enum {
	HOOK_TYPE_FUNC_ENTRY = 0,
	HOOK_TYPE_FUNC_EXIT,
	HOOK_TYPE_TASK_ENTRY,
	HOOK_TYPE_TASK_EXIT
} Hook_Record_Type;

/* One record. All bytes 0xFF: not written yet. (The note, "Implementing Hook Functions") */
typedef struct {
	unsigned int address_type; /* address of a function, name or task; bits 0 and 1: Hook_Record_Type */
	unsigned int TSCL;         /* time stamp in ticks of the machine's counter, low 32 bits */
	unsigned int TSCH;         /* high 32 bits */
} Hook_Record;

/* The buffer, and the number of records made so far. For reading; only the hooks write here. uiProfileDataCnt is 0xFFFFFFFF before
 * hook_init(). If uiProfileDataCnt is above MAX_PROFILE_RECORD_NUM, a circular buffer has wrapped, and the oldest record has the
 * index uiProfileDataCnt % MAX_PROFILE_RECORD_NUM. (The note, "Implementing Hook Functions") */
extern Hook_Record ProfileData[MAX_PROFILE_RECORD_NUM];
extern unsigned int uiProfileDataCnt;

/* Begins recording. A second call erases all records and begins anew. Starts the machine's counter if the counter needs a start. If
 * the counter does not count yet (SysTick before the system starts it), recording begins with the first hook_tick() after that.
 * Call hook_init() after the buffer's memory is set up. (The note, "Implementing Hook Functions")
 * Context: any, also while interrupt handlers with hooks run. Cost: the time to fill the buffer. */
void hook_init(void);

/* Record a function entry, a function exit, or a switch of the processor from a task to the next. A switch makes two records with
 * equal times. These linear hooks keep the beginning: if the buffer is full, the hooks record nothing more.
 * func_addr, name: the function, as HOOK_PARM selects. prevTask, nextTask: addresses of the tasks, multiples of 4.
 * (The note, "Implementing Hook Functions" and "Task switch hook")
 * Context: any, with interrupts enabled or masked; never blocks. The hooks mask interrupts while writing a record.
 * Cost: 19 to 56 instructions, by machine (doc/hooks.md). */
void entry_hook(HOOK_PARAMETER);
void exit_hook(HOOK_PARAMETER);
void task_switch_hook(unsigned int prevTask, unsigned int nextTask);

/* Circular hooks: record the same, and keep the end: if the buffer is full, the newest record replaces the oldest. (The note,
 * "Implementing Hook Functions")
 * Cost: 23 to 77 instructions, by machine. */
#if HOOK_CAN_BE_CIRCULAR
void entry_hook_circular(HOOK_PARAMETER);
void exit_hook_circular(HOOK_PARAMETER);
void task_switch_hook_circular(unsigned int prevTask, unsigned int nextTask);
#endif

/* The hooks that TI's compiler calls for --entry_hook and --exit_hook without a name, and the task switch that belongs to them.
 * They act as the linear hooks, or as the circular hooks if hook.c was compiled with HOOK_CIRCULAR (libhook.circular.a). (The note,
 * "Compiler Options for Function Hooks"; __task_switch_hook is not in the note.) */
void __entry_hook(HOOK_PARAMETER);
void __exit_hook(HOOK_PARAMETER);
void __task_switch_hook(unsigned int prevTask, unsigned int nextTask);

/* Continues time stamps on machines whose counter has 32 bits or less. Such a counter wraps; dwell notices one wrap between two
 * records. If the counter can wrap more often between two records, call hook_tick() from a timer, at least once per wrap
 * (doc/hooks.md). With a counter of 64 bits, hook_tick() does nothing. Not in the note.
 * Context: as the hooks. */
void hook_tick(void);

#ifdef __cplusplus
}
#endif
#endif
