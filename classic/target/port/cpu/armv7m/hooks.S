/* SPDX-License-Identifier: MIT
 *
 * The hooks of the C6000 profiler for Cortex-M3 and later, with a 32-bit
 * counter: the same as classic/target/recorder/records/records.h, in half the
 * instructions of compiled code, since one instruction loads the whole state.
 *
 * dwell_hook_state is struct hook_state of classic/target/port/c6000/cortex_m.h: the count,
 * the counter's last value and rounds, its address, that of the buffer, the highest index. */
#include "classic/core/hook_records.h"

#ifndef MAX_PROFILE_RECORD_NUM
#define MAX_PROFILE_RECORD_NUM (1 * 1024 * 1024)
#endif
/* The same values as in hook.h. */
#define HOOK_PARM_ADDRESS HOOK_PLACE_ADDRESS
#define HOOK_PARM_NAME HOOK_PLACE_NAME
#define HOOK_PARM_NONE HOOK_PLACE_RETURN
#ifndef HOOK_PARM
#define HOOK_PARM HOOK_PARM_ADDRESS
#endif

/* r0: the place without its low bits. Without a parameter the place is the hook's return address. */
	.macro	get_place
#if HOOK_PARM == HOOK_PARM_NONE
	bic	r0, lr, #HOOK_RECORD_TYPE_MASK
#else
	bic	r0, r0, #HOOK_RECORD_TYPE_MASK
#endif
	.endm

/* Masks interrupts; \held: the mask before. \count, \last, \rounds, \counter, \words, \highest: the state; ip: its address. */
	.macro	hold held, count, last, rounds, counter, words, highest
	mrs	\held, primask
	cpsid	i
	ldr	ip, =dwell_hook_state
	ldmia	ip, {\count, \last, \rounds, \counter, \words, \highest}
	.endm

/* \now: the value of the counter at \counter. A value below the last one means that the counter came round. */
	.macro	get_time now, counter, last, rounds
	ldr	\now, [\counter]
	cmp	\now, \last
	it	lo
	addlo	\rounds, #1
	.endm

	.syntax	unified
	.thumb
	.section .text.hook_funcs, "ax", %progbits

	.global	exit_hook
	.type	exit_hook, %function
exit_hook:
	get_place
	orr	r0, #HOOK_RECORD_EXIT
	b	1f
	.size	exit_hook, . - exit_hook

	.global	entry_hook
	.type	entry_hook, %function
entry_hook:
	get_place
1:	push	{r4-r7, lr}
	hold	r7, r1, r2, r4, r5, r6, lr
	cmp	r1, lr
	bhi	2f
	get_time r3, r5, r2, r4
	add	r2, r1, r1, lsl #1		/* three words each */
	add	r6, r6, r2, lsl #2
	stmia	r6, {r0, r3, r4}
	adds	r1, #1
	stmia	ip, {r1, r3, r4}		/* the count, the time of this record */
2:	msr	primask, r7
	pop	{r4-r7, pc}
	.size	entry_hook, . - entry_hook

	.global	task_switch_hook
	.type	task_switch_hook, %function
task_switch_hook:
	orr	r0, #HOOK_RECORD_TASK_OUT
	orr	r1, #HOOK_RECORD_TYPE_MASK
	subs	r1, #HOOK_RECORD_TYPE_MASK - HOOK_RECORD_TASK_IN
	push	{r4-r8, lr}
	hold	r8, r2, r3, r5, r6, r7, lr
	cmp	r2, lr
	bhi	1f
	get_time r4, r6, r3, r5
	add	r3, r2, r2, lsl #1
	add	r7, r7, r3, lsl #2
	stmia	r7!, {r0, r4, r5}
	adds	r2, #1
	cmp	r2, lr
	itt	ls				/* the second record, if it fits */
	stmials	r7!, {r1, r4, r5}
	addls	r2, #1
	stmia	ip, {r2, r4, r5}
1:	msr	primask, r8
	pop	{r4-r8, pc}
	.size	task_switch_hook, . - task_switch_hook
	.ltorg

#if (MAX_PROFILE_RECORD_NUM & (MAX_PROFILE_RECORD_NUM - 1)) == 0
	.section .text.hook_funcs_circular, "ax", %progbits

	.global	exit_hook_circular
	.type	exit_hook_circular, %function
exit_hook_circular:
	get_place
	orr	r0, #HOOK_RECORD_EXIT
	b	1f
	.size	exit_hook_circular, . - exit_hook_circular

	.global	entry_hook_circular
	.type	entry_hook_circular, %function
entry_hook_circular:
	get_place
1:	push	{r4-r7, lr}
	hold	r7, r1, r2, r4, r5, r6, lr
	adds	r3, r1, #1			/* not HOOK_COUNT_OFF */
	beq	2f
	and	lr, lr, r1
	adds	r1, #1
	cmp	r1, #HOOK_COUNT_OFF
	it	eq
	lsreq	r1, r1, #1			/* never that: 0x7fffffff is the same index */
	get_time r3, r5, r2, r4
	add	lr, lr, lr, lsl #1
	add	r6, r6, lr, lsl #2
	stmia	r6, {r0, r3, r4}
	stmia	ip, {r1, r3, r4}
2:	msr	primask, r7
	pop	{r4-r7, pc}
	.size	entry_hook_circular, . - entry_hook_circular

	.global	task_switch_hook_circular
	.type	task_switch_hook_circular, %function
task_switch_hook_circular:
	orr	r0, #HOOK_RECORD_TASK_OUT
	orr	r1, #HOOK_RECORD_TYPE_MASK
	subs	r1, #HOOK_RECORD_TYPE_MASK - HOOK_RECORD_TASK_IN
	push	{r4-r8, lr}
	hold	r8, r2, r3, r5, r6, r7, lr
	adds	r4, r2, #1
	beq	1f
	get_time r4, r6, r3, r5
	and	r3, r2, lr
	add	r3, r3, r3, lsl #1
	add	r3, r7, r3, lsl #2
	stmia	r3, {r0, r4, r5}
	adds	r2, #1
	and	r3, r2, lr
	add	r3, r3, r3, lsl #1
	add	r3, r7, r3, lsl #2
	stmia	r3, {r1, r4, r5}
	adds	r2, #1
	adds	r3, r2, #1
	cmp	r3, #1
	it	ls				/* HOOK_COUNT_OFF, or the 0 behind it */
	eorls	r2, r2, #0x80000000
	stmia	ip, {r2, r4, r5}
1:	msr	primask, r8
	pop	{r4-r8, pc}
	.size	task_switch_hook_circular, . - task_switch_hook_circular
	.ltorg
#endif

/* The names that compilers call. */
	.macro	named name, hook
	.global	\name
	.thumb_set \name, \hook
	.endm

#ifdef HOOK_CIRCULAR
	named	__entry_hook, entry_hook_circular
	named	__exit_hook, exit_hook_circular
	named	__task_switch_hook, task_switch_hook_circular
#if HOOK_PARM == HOOK_PARM_ADDRESS
	named	__cyg_profile_func_enter, entry_hook_circular
	named	__cyg_profile_func_exit, exit_hook_circular
#endif
#else
	named	__entry_hook, entry_hook
	named	__exit_hook, exit_hook
	named	__task_switch_hook, task_switch_hook
#if HOOK_PARM == HOOK_PARM_ADDRESS
	named	__cyg_profile_func_enter, entry_hook
	named	__cyg_profile_func_exit, exit_hook
#endif
#endif
