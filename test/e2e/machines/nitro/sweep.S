/* void sweep(uint32_t instructions, void (*function)()): calls it after so many instructions, with 0xb0 to 0xb3 in r0 to r3. */
	.arch	armv5te
	.arm
	.text
	.global	sweep
	.type	sweep, %function
sweep:
	stmfd	sp!, {r4, lr}
	mov	r4, r1
	ldr	ip, =1f
	sub	ip, ip, r0, lsl #2
	bx	ip
	.rept	1000
	nop
	.endr
1:	mov	r0, #0xb0
	mov	r1, #0xb1
	mov	r2, #0xb2
	mov	r3, #0xb3
	blx	r4
	ldmfd	sp!, {r4, pc}
	.ltorg
	.size	sweep, . - sweep
