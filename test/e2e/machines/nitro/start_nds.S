/* A Nintendo DS's ARM9 from its loader to NitroMain; then it waits for a debugger, which looks at nds_status. */
	.arch	armv5te
	.arm
	.section .init, "ax"
	.global	_start
_start:
	mov	r0, #0x04000000
	str	r0, [r0, #0x208]	@ bit 0: no interrupts
	msr	cpsr_c, #0x1f
	ldr	sp, =main_stack
	ldr	r0, =bss_begin
	ldr	r1, =bss_end
	mov	r2, #0
1:	cmp	r0, r1
	strlo	r2, [r0], #4
	blo	1b
	bl	NitroMain
	ldr	r1, =nds_status
	ldr	r0, =0x600df00d
	str	r0, [r1]
	b	.
	.ltorg

	.data
	.global	nds_status
nds_status:
	.word	1
