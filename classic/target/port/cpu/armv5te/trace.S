/* SPDX-License-Identifier: MIT
 *
 * Call traces on ARMv5TE: the functions that the compiler calls, for the usual cases. nitro_enter and nitro_exit do the
 * rest, with interrupts masked. ARM state, also for callers in Thumb: BLX switches to ARM, and loading pc switches back.
 *
 * The caller executes `stmfd sp!, {r0, lr}` before, as the manual's sequence does: [sp] is r0 at the call of the
 * function, [sp, #4] its lr, r1 to r3 are unchanged. An entry may change r0, ip and the flags, an exit ip and the flags.
 *
 * dwell_trace_now points to the CURSOR of the running thread's control area. In stack mode
 * handlers leave the chain as they found it: the entry moves the cursor first, so that
 * handlers' lines come above, and writes the name last. In log mode interrupts are masked. */
#include "classic/core/lines.h"

#define AT(word) ((LINES_TRACE_##word - LINES_TRACE_CURSOR) * 4)
#define WHAT (4 - LINES_HEAD_BYTES - LINES_TRACE_CURSOR * 4)
#define LINE_BYTES 24
#define MASKED 0xc0

	.arch	armv5te
	.arm
	.text

	.global	__PROFILE_ENTRY
	.type	__PROFILE_ENTRY, %function
__PROFILE_ENTRY:
	ldr	ip, =dwell_trace_now
	ldr	ip, [ip]
	stmfd	sp!, {r7, r8, lr}
	ldmia	ip, {r7, r8}			@ cursor, limit
	cmp	r7, r8
	bhs	1f
	add	r8, r7, #LINE_BYTES
	str	r8, [ip]
	add	r7, r7, #4
	mov	ip, r0
	ldr	r0, [sp, #12]
	ldr	lr, [sp, #16]
	stmib	r7, {r0-r3}
	stmda	r7, {ip, lr}
	ldmfd	sp!, {r7, r8, pc}

1:	/* log mode */
	stmfd	sp!, {r4-r6}
	mrs	lr, cpsr
	orr	r4, lr, #MASKED
	msr	cpsr_c, r4
	ldmia	ip, {r4-r8}			@ cursor, limit, level_at, level, log_limit
	cmp	r4, r8
	bhs	2f
	cmp	r5, #0
	bne	6f
	add	r8, r4, #4
	add	r4, r4, #LINE_BYTES
	add	r7, r7, #1
	str	r7, [r6], #4
	stmia	ip, {r4-r7}
	mov	r4, r0
	ldr	r5, [sp, #28]
	ldr	r0, [sp, #24]
	stmib	r8, {r0-r3}
	stmda	r8, {r4, r5}
	msr	cpsr_c, lr
	ldmfd	sp!, {r4-r8, pc}

6:	/* log mode with other registers than all: LIMIT has their bits */
	mov	r8, r5, lsl #28			@ where the flags are
	msr	cpsr_f, r8
	str	r0, [r4], #4
	ldr	r8, [sp, #28]
	ldr	r0, [sp, #24]
	str	r8, [r4], #4
	strvs	r0, [r4], #4
	strcs	r1, [r4], #4
	streq	r2, [r4], #4
	strmi	r3, [r4], #4
	add	r7, r7, #1
	str	r7, [r6], #4
	stmia	ip, {r4-r7}
	msr	cpsr_c, lr
	ldmfd	sp!, {r4-r8, pc}

2:	/* no buffer; disabled; stack mode with other registers than all; everything else */
	ldr	r4, [ip, #AT(STATE)]
	tst	r4, #LINES_STATE_NONE
	bne	3f
	ldr	r5, [ip, #AT(FLOOR)]
	tst	r4, #LINES_STATE_ENABLED
	beq	4f
	cmn	r5, #2				@ log mode, or calls without a line
	bhs	5f
	ldr	r4, [ip]
	ldr	r5, [ip, #AT(END)]
	ldr	r6, [ip, #AT(STRIDE)]
	add	r6, r4, r6
	cmp	r6, r5
	bhi	5f
	str	r6, [ip]
	str	r0, [r4], #4
	ldr	r5, [sp, #28]
	str	r5, [r4], #4
	ldr	r5, [ip, #WHAT]
	ldr	r0, [sp, #24]
	mov	r5, r5, lsl #12			@ the registers' bits where the flags are
	msr	cpsr_f, r5
	strvs	r0, [r4], #4
	strcs	r1, [r4], #4
	streq	r2, [r4], #4
	strmi	r3, [r4], #4
3:	msr	cpsr_c, lr
	ldmfd	sp!, {r4-r8, pc}

4:	/* disabled: only count */
	cmn	r5, #1
	ldreq	r4, [ip, #AT(LEVEL)]
	ldrne	r4, [ip, #AT(UNWRITTEN)]
	add	r4, r4, #1
	streq	r4, [ip, #AT(LEVEL)]
	strne	r4, [ip, #AT(UNWRITTEN)]
	mvnne	r5, #1
	strne	r5, [ip, #AT(FLOOR)]
	b	3b

5:	mov	r5, lr
	ldr	r4, [sp, #24]
	ldr	lr, [sp, #28]
	stmfd	sp!, {r1-r3}
	stmfd	sp!, {r4}
	mov	r1, lr
	mov	r2, sp
	bl	nitro_enter
	add	sp, sp, #4
	ldmfd	sp!, {r1-r3}
	mov	lr, r5
	b	3b
	.ltorg
	.size	__PROFILE_ENTRY, . - __PROFILE_ENTRY

	.global	__PROFILE_EXIT
	.type	__PROFILE_EXIT, %function
__PROFILE_EXIT:
	ldr	ip, =dwell_trace_now
	ldr	ip, [ip]
	stmfd	sp!, {r4, r5, lr}
	ldmda	ip, {r4, r5, lr}		@ stride, floor, cursor
	cmp	lr, r5
	bls	1f
	mov	r5, #0
	str	r5, [lr, -r4]!
	str	lr, [ip]
	ldmfd	sp!, {r4, r5, pc}

1:	/* log mode */
	cmn	r5, #1
	bne	2f
	ldr	r4, [ip, #AT(LEVEL)]
	sub	r4, r4, #1
	str	r4, [ip, #AT(LEVEL)]
	ldmfd	sp!, {r4, r5, pc}

2:	/* no buffer; disabled; everything else */
	ldr	r4, [ip, #AT(STATE)]
	tst	r4, #LINES_STATE_NONE
	ldmnefd	sp!, {r4, r5, pc}
	tst	r4, #LINES_STATE_ENABLED
	bne	3f
	ldr	r4, [ip, #AT(UNWRITTEN)]
	subs	r4, r4, #1
	blo	3f
	str	r4, [ip, #AT(UNWRITTEN)]
	ldreq	r5, [ip, #AT(BASE)]
	streq	r5, [ip, #AT(FLOOR)]
	ldmfd	sp!, {r4, r5, pc}

3:	stmfd	sp!, {r0-r3, r6}
	mrs	r5, cpsr
	orr	r4, r5, #MASKED
	msr	cpsr_c, r4
	bl	nitro_exit
	msr	cpsr_c, r5
	ldmfd	sp!, {r0-r3, r6}
	ldmfd	sp!, {r4, r5, pc}
	.ltorg
	.size	__PROFILE_EXIT, . - __PROFILE_EXIT
