@ __PROFILE_ENTRY for ARM: [sp] is the caller's r0, [sp, #4] where the function returns to. Destroyed on purpose: r0, ip, the flags.
	.syntax unified
	.arm
	.text
	.global	__PROFILE_ENTRY
	.type	__PROFILE_ENTRY, %function
__PROFILE_ENTRY:
	tst	sp, #7
	ldrne	ip, =misaligned
	strne	ip, [ip]
	push	{r1-r3, lr}
	sub	sp, sp, #24
	ldr	ip, [sp, #40]
	str	ip, [sp]
	str	r1, [sp, #4]
	str	r2, [sp, #8]
	str	r3, [sp, #12]
	ldr	ip, [sp, #44]
	str	ip, [sp, #16]
	mov	r1, sp
	bl	note_entry
	add	sp, sp, #24
	pop	{r1-r3, lr}
	mvn	r0, #0
	mvn	ip, #0
	cmn	r0, #1
	bx	lr
	.size	__PROFILE_ENTRY, .-__PROFILE_ENTRY
