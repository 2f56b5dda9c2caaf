@ The little that programs of plugin_arm.sh need of a versatilepb: a stack, constructors, main, an exit status by semihosting.
	.syntax unified
	.arm
	.section .init, "ax"
	.global	_start
_start:
	ldr	sp, =_estack
	ldr	r0, =_sbss
	ldr	r1, =_ebss
	mov	r2, #0
1:	cmp	r0, r1
	strlo	r2, [r0], #4
	blo	1b
	ldr	r4, =_constructors
	ldr	r5, =_constructors_end
2:	cmp	r4, r5
	bhs	3f
	ldr	r0, [r4], #4
	blx	r0
	b	2b
3:	bl	main
	ldr	r1, =0x20026
	push	{r0}
	push	{r1}
	mov	r0, #0x20
	mov	r1, sp
	svc	0x123456
	b	.
