/* A function with the manual's sequence in front of it and at its end, in ARM and in Thumb state. And a switch of threads by a
 * kernel in Thumb state. */
	.arch	armv5te
	.text
	.arm
	.global	leaf_arm
	.type	leaf_arm, %function
leaf_arm:
	stmfd	sp!, {r0, lr}
	ldr	r0, =name
	bl	__PROFILE_ENTRY
	ldmfd	sp!, {r0, lr}
	sub	sp, sp, #4
	stmfd	sp!, {lr}
	bl	__PROFILE_EXIT
	ldmfd	sp!, {lr}
	add	sp, sp, #4
	bx	lr
	.ltorg

	.thumb
	.global	leaf_thumb
	.thumb_func
	.type	leaf_thumb, %function
leaf_thumb:
	push	{r0, lr}
	ldr	r0, =name
	bl	__PROFILE_ENTRY
	pop	{r0}
	sub	sp, #4
	bl	__PROFILE_EXIT
	add	sp, #4
	pop	{pc}
	.ltorg

	.thumb
	.global	switch_thumb
	.thumb_func
	.type	switch_thumb, %function
switch_thumb:
	push	{r4, lr}
	bl	OS_SwitchProfile
	pop	{r4, pc}

	.section .rodata
name:	.asciz	"leaf"
