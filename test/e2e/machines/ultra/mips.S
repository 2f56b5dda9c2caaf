/* From reset to main; the vector of interrupts goes to the profiler. */
	.set	noreorder
	.section .init, "ax"
	.global	_start
_start:
	la	$29, main_stack - 64
	la	$8, vector
	lui	$9, 0x8000
	.irp	n, 0, 4, 8, 12
	lw	$10, \n($8)
	sw	$10, 0x180+\n($9)
	.endr
	la	$8, bss_begin
	la	$9, bss_end
1:	beq	$8, $9, 2f
	nop
	sw	$0, 0($8)
	b	1b
	addiu	$8, $8, 4
2:	mfc0	$8, $12
	li	$9, ~0x0040ff07	/* the vector in memory, no interrupt is let through … */
	and	$8, $8, $9
	ori	$8, $8, 1	/* … but what is let through comes */
	mtc0	$8, $12
	nop
	nop
	nop
	jal	main
	nop
	.set	noat
vector:	lui	$26, %hi(osProfileInterrupt)
	addiu	$26, $26, %lo(osProfileInterrupt)
	jr	$26
	nop
