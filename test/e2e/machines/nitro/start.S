/* An ARM9 from reset to NitroMain; and the kernel's switch of threads (kernel.c). Threads run in system mode, interrupts
 * enabled. */
	.arch	armv5te
	.arm
	.section .init, "ax"
	.global	_start
_start:
	adr	r0, vectors
	mov	r1, #0
	ldmia	r0!, {r2-r9}
	stmia	r1!, {r2-r9}
	ldmia	r0!, {r2-r9}
	stmia	r1!, {r2-r9}
	msr	cpsr_c, #0xd2
	ldr	sp, =irq_stack
	msr	cpsr_c, #0xdf
	ldr	sp, =main_stack
	ldr	r0, =bss_begin
	ldr	r1, =bss_end
	mov	r2, #0
1:	cmp	r0, r1
	strlo	r2, [r0], #4
	blo	1b
	bl	NitroMain
	mov	r0, #0
	bl	finish

	.global	finish		/* of the emulator, with this status */
	.type	finish, %function
finish:
	mov	r1, r0
	ldr	r0, =0x20026	/* SYS_EXIT_EXTENDED: an application's exit */
	stmfd	sp!, {r0, r1}
	mov	r0, #0x20
	mov	r1, sp
	svc	0x123456
	b	.

vectors:
	.rept	8
	ldr	pc, [pc, #24]
	.endr
	.word	_start, wrong, wrong, wrong, wrong, wrong, irq, wrong
	.text
wrong:	mov	r0, #99
	bl	finish

/* A frame on a thread's own stack: cpsr, r0–r12, lr, pc. */
	.weak	kernel_interrupt
irq:
	sub	lr, lr, #4
	stmfd	sp!, {r0-r3, lr}
	mrs	r0, spsr
	mov	r1, sp
	add	sp, sp, #20
	msr	cpsr_c, #0xdf			@ the thread's stack, interrupts masked
	ldr	r2, [r1, #16]
	stmfd	sp!, {r2}
	stmfd	sp!, {r4-r12, lr}
	ldmia	r1, {r4-r7}
	stmfd	sp!, {r0, r4-r7}
	mov	r0, sp
	bic	sp, sp, #7			@ as C wants it
	bl	kernel_interrupt		@ returns the frame to go on with
	mov	sp, r0
	ldr	r0, [sp], #4
	ldr	r1, [sp, #56]
	msr	cpsr_c, #0xd3			@ another mode's spsr and lr to return by
	msr	spsr_cxsf, r0
	mov	lr, r1
	msr	cpsr_c, #0xdf
	ldmfd	sp!, {r0-r12}
	ldr	lr, [sp], #8
	msr	cpsr_c, #0xd3
	movs	pc, lr
