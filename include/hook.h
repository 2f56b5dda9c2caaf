/* SPDX-License-Identifier: MIT
 *
 * Profiling by function hooks, as TI's compilers for the C6000 call them (--entry_hook, --exit_hook) and as its application note has
 * them: each entry, exit and task switch becomes a record of three words in one buffer. doc/hooks.md tells how they get there with which
 * compiler, and how the buffer reaches a host.
 *
 * One processor, one buffer. Records are atomic against interrupts. Nothing is recorded before hook_init(). */
#ifndef HOOK_H
#define HOOK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Records that there is room for, 12 bytes each: define it where hook.c is compiled, and here. With a number that is no power of two there
 * are no circular hooks. */
#ifndef MAX_PROFILE_RECORD_NUM
#define MAX_PROFILE_RECORD_NUM (1 * 1024 * 1024)
#endif
#if MAX_PROFILE_RECORD_NUM & (MAX_PROFILE_RECORD_NUM - 1)
#define HOOK_CAN_BE_CIRCULAR 0
#else
#define HOOK_CAN_BE_CIRCULAR 1
#endif

/* What the compiler gives to hooks, as --entry_parm and --exit_parm have it: define HOOK_PARM as one of these, where hook.c is compiled
 * and here. A library is of one kind. */
#define HOOK_PARM_ADDRESS 1 /* of the function */
#define HOOK_PARM_NAME 2    /* of its name, a string aligned to 4 */
#define HOOK_PARM_NONE 3    /* nothing: where the hook will return to is recorded */
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
#error "HOOK_PARM: HOOK_PARM_ADDRESS, HOOK_PARM_NAME or HOOK_PARM_NONE"
#endif

typedef enum {
	HOOK_TYPE_FUNC_ENTRY = 0,
	HOOK_TYPE_FUNC_EXIT,
	HOOK_TYPE_TASK_ENTRY,
	HOOK_TYPE_TASK_EXIT
} Hook_Record_Type;

typedef struct {
	unsigned int address_type; /* the low two bits: Hook_Record_Type */
	unsigned int TSCL;         /* time stamp, low half */
	unsigned int TSCH;         /* and high half */
} Hook_Record;

/* The buffer, and how many records were made: 0xFFFFFFFF until hook_init(). Above MAX_PROFILE_RECORD_NUM the buffer came round, and its
 * oldest record is number uiProfileDataCnt % MAX_PROFILE_RECORD_NUM. Nothing but the hooks writes them. */
extern Hook_Record ProfileData[MAX_PROFILE_RECORD_NUM];
extern unsigned int uiProfileDataCnt;

/* Recording begins, or begins again: all that was recorded is gone. Starts the counter where that is needed.
 * Context: any, also while interrupts come whose handlers have hooks; takes as long as it takes to fill the buffer. */
void hook_init(void);

/* A function is entered, and left; a task leaves and another one comes. These keep the beginning: they stop when the buffer is full.
 * Context: anything that hook_init() may be called from, with or without interrupts masked; never blocks. */
void entry_hook(HOOK_PARAMETER);
void exit_hook(HOOK_PARAMETER);
void task_switch_hook(unsigned int prevTask, unsigned int nextTask);

/* These keep the end: the oldest record makes room for the newest. */
#if HOOK_CAN_BE_CIRCULAR
void entry_hook_circular(HOOK_PARAMETER);
void exit_hook_circular(HOOK_PARAMETER);
void task_switch_hook_circular(unsigned int prevTask, unsigned int nextTask);
#endif

/* What --entry_hook and --exit_hook call when they are given no name: the linear hooks, or the circular ones in libhook.circular.a. */
void __entry_hook(HOOK_PARAMETER);
void __exit_hook(HOOK_PARAMETER);

/* From a timer, where the counter has 32 bits or less (doc/hooks.md) and may come round twice between two records: the high half of time
 * stamps goes on. Where the counter has 64 bits it does nothing.
 * Context: as the hooks. */
void hook_tick(void);

#ifdef __cplusplus
}
#endif
#endif
