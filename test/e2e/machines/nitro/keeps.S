/* void keeps(void (*hook)(), const char *name, const uintptr_t values[12], uintptr_t after[13]): calls a hook as the manual's
 * sequence does, with these values in r0 to r11 and &values in lr; after: what is in them afterwards, and in the low byte of cpsr.
 * (r0 is the name's before an exit as well.) void unmask(void): interrupts may come. */
	.arch	armv5te
	.arm
	.text
	.global	keeps
	.type	keeps, %function
keeps:
	stmfd	sp!, {r4-r11, lr}
	stmfd	sp!, {r0-r3, ip}
	mov	lr, r2
	ldmia	lr, {r0-r11}
	stmfd	sp!, {r0, lr}
	mov	ip, r0, lsl #28		@ any flags
	msr	cpsr_f, ip
	ldr	ip, [sp, #8]
	ldr	r0, [sp, #12]
	blx	ip
	ldr	lr, [sp, #20]
	stmia	lr!, {r0-r11}
	mrs	ip, cpsr
	and	ip, ip, #0xff
	str	ip, [lr]
	add	sp, sp, #28
	ldmfd	sp!, {r4-r11, pc}
	.size	keeps, . - keeps

	.global	unmask
	.type	unmask, %function
unmask:
	msr	cpsr_c, #0x1f
	bx	lr
	.size	unmask, . - unmask
