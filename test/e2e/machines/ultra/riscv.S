/* From reset to main; all traps are the profiler's. */
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
2:	la	t0, osProfileInterrupt
	csrw	mtvec, t0
	csrsi	mstatus, 8
	call	main
