/* From reset to main, the traps, and the three instructions by which an emulator is asked for something. */
	.option	norvc
	.option	norelax
	.section .init, "ax"
	.global	_start
_start:
	la	gp, __global_pointer$
	la	sp, main_stack
	la	t0, bss_begin
	la	t1, bss_end
1:	bgeu	t0, t1, 2f
	sw	zero, 0(t0)
	addi	t0, t0, 4
	j	1b
2:	la	t0, trapped
	csrw	mtvec, t0
	call	main
	call	board_exit

	.text
	.balign	16
	.global	semihosting
	.type	semihosting, @function
semihosting:
	slli	x0, x0, 0x1f
	ebreak
	srai	x0, x0, 7
	ret

/* A frame on the stack of what was interrupted: x1 to x31 in their order, but for sp, then pc and status. */
	.balign	4
trapped:
	addi	sp, sp, -144
	sw	x1, 0(sp)
	.irp	n, 3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	sw	x\n, 4*(\n-1)(sp)
	.endr
	csrr	t0, mepc
	sw	t0, 124(sp)
	csrr	t0, mstatus
	sw	t0, 128(sp)
	mv	a0, sp
	csrr	a1, mcause
	call	trap
	mv	sp, a0
	lw	t0, 128(sp)
	csrw	mstatus, t0
	lw	t0, 124(sp)
	csrw	mepc, t0
	lw	x1, 0(sp)
	.irp	n, 4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	lw	x\n, 4*(\n-1)(sp)
	.endr
	addi	sp, sp, 144
	mret
