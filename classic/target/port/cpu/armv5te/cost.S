/* SPDX-License-Identifier: MIT
 *
 * Function cost on ARMv5TE: the functions that the compiler calls, for the usual cases.
 * nitro_enter and nitro_exit do the rest, with interrupts masked. ARM state and changed registers:
 * as in trace.S. Interrupts are masked while a line is written, because handlers add lines.
 *
 * dwell_cost_now points to the first control word of the running
 * thread's buffer. The words are in the order of the registers below.
 *
 * HALVES: the counter is two registers of 16 bits, four bytes apart, the lower half first, and dwell_cost_halves
 * reports this to the board. The object is linked in front of the library and replaces the other version. */
#include "classic/core/lines.h"

#define AT(word) (LINES_COST_##word * 4)
#define LINE_BYTES (LINES_COST_LINE_WORDS * 4)
#define MASKED 0xc0

	.arch	armv5te
	.arm
	.text

/* counter: its address on entry, its value on return. With halves, the upper
 * half must be equal before and after the lower one, or the macro reads again. */
	.macro	read_tick	counter, spare, other
#ifdef HALVES
9:	ldrh	\spare, [\counter, #4]
	ldrh	\other, [\counter]
	orr	\spare, \other, \spare, lsl #16
	ldrh	\other, [\counter, #4]
	cmp	\other, \spare, lsr #16
	bne	9b
	mov	\counter, \spare
#else
	ldr	\counter, [\counter]
#endif
	.endm

/* The registers to save: more for halves, and a number that keeps the stack aligned. */
#ifdef HALVES
#define ENTRY_KEEPS r4-r9
#define EXIT_KEEPS r4-r10

	.section .rodata
	.global	dwell_cost_halves
	.type	dwell_cost_halves, %object
dwell_cost_halves:
	.byte	1
	.size	dwell_cost_halves, 1
	.text
#else
#define ENTRY_KEEPS r4-r7
#define EXIT_KEEPS r4-r8
#endif

	.global	__PROFILE_ENTRY
	.type	__PROFILE_ENTRY, %function
__PROFILE_ENTRY:
	ldr	ip, =dwell_cost_now
	ldr	ip, [ip]
	stmfd	sp!, {ENTRY_KEEPS, lr}
	mrs	lr, cpsr
	orr	r4, lr, #MASKED
	msr	cpsr_c, r4
	ldmib	ip!, {r4-r7}			@ tick_at, limit, away, cursor
	cmp	r7, r5
	bhs	1f
	read_tick r4, r8, r9
	stmia	r7!, {r0, r4, r6}		@ name, tick, away
	sub	r5, r5, #LINE_BYTES
	mov	r6, #0
	stmda	ip, {r5-r7}
	msr	cpsr_c, lr
	ldmfd	sp!, {ENTRY_KEEPS, pc}

1:	ldr	r4, [ip, #AT(STATE) - AT(CURSOR)]
	tst	r4, #LINES_STATE_NONE
	bne	2f
	tst	r4, #LINES_STATE_ENABLED	@ disabled: counted
	ldreq	r4, [ip, #AT(OFF_CALLS) - AT(CURSOR)]
	addeq	r4, r4, #1
	streq	r4, [ip, #AT(OFF_CALLS) - AT(CURSOR)]
	beq	2f
	mov	r5, lr
	stmfd	sp!, {r1-r3}
	bl	nitro_enter			@ lr and registers are not kept here
	ldmfd	sp!, {r1-r3}
	mov	lr, r5
2:	msr	cpsr_c, lr
	ldmfd	sp!, {ENTRY_KEEPS, pc}
	.ltorg
	.size	__PROFILE_ENTRY, . - __PROFILE_ENTRY

	.global	__PROFILE_EXIT
	.type	__PROFILE_EXIT, %function
__PROFILE_EXIT:
	ldr	ip, =dwell_cost_now
	ldr	ip, [ip]
	stmfd	sp!, {EXIT_KEEPS, lr}
	mrs	lr, cpsr
	orr	r4, lr, #MASKED
	msr	cpsr_c, r4
	ldmia	ip!, {r4-r8}			@ exit_bar, tick_at, limit, away, cursor
	cmp	r6, r4
	bhs	1f
	read_tick r5, r9, r10
	mvn	r4, #0				@ the EXIT tag
	stmia	r8!, {r4, r5, r7}
	add	r6, r6, #LINE_BYTES
	mov	r7, #0
	stmdb	ip, {r6-r8}
	msr	cpsr_c, lr
	ldmfd	sp!, {EXIT_KEEPS, pc}

1:	ldr	r4, [ip, #AT(STATE) - AT(CURSOR) - 4]
	tst	r4, #LINES_STATE_NONE
	bne	2f
	tst	r4, #LINES_STATE_ENABLED
	bne	3f
	ldr	r4, [ip, #AT(OFF_CALLS) - AT(CURSOR) - 4]
	subs	r4, r4, #1
	strhs	r4, [ip, #AT(OFF_CALLS) - AT(CURSOR) - 4]
	bhs	2f
3:	mov	r5, lr
	stmfd	sp!, {r0-r3}
	bl	nitro_exit
	ldmfd	sp!, {r0-r3}
	mov	lr, r5
2:	msr	cpsr_c, lr
	ldmfd	sp!, {EXIT_KEEPS, pc}
	.ltorg
	.size	__PROFILE_EXIT, . - __PROFILE_EXIT

/* void *OS_SwitchProfile(void *profile), with interrupts masked: a profile is a value of dwell_cost_now. */
	.global	OS_SwitchProfile
	.type	OS_SwitchProfile, %function
OS_SwitchProfile:
	ldr	ip, =dwell_cost_now
	ldr	r1, [ip]
	cmp	r0, #0
	ldreq	r0, =dwell_cost_none + LINES_HEAD_BYTES
	ldr	r3, [r1, #AT(TICK_AT)]
	str	r0, [ip]
	cmp	r3, #0
	beq	1f
	read_tick r3, r2, ip
2:	str	r3, [r1, #AT(LEFT)]
	ldr	r2, [r0, #AT(LEFT)]
	ldr	ip, [r0, #AT(AWAY)]
	sub	r3, r3, r2
	add	r3, r3, ip
	str	r3, [r0, #AT(AWAY)]
	mov	r0, r1
	bx	lr

1:	stmfd	sp!, {r0, r1, r4, lr}
	bl	OS_GetTickLo
	mov	r3, r0
	ldmfd	sp!, {r0, r1, r4, lr}
	b	2b
	.ltorg
	.size	OS_SwitchProfile, . - OS_SwitchProfile
