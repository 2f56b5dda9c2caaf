/* SPDX-License-Identifier: MIT
 *
 * The sampling interrupt of a RISC-V, called from mtvec or the system's code there: all registers are
 * as they were when the program was interrupted. An interrupted load-reserve/store-conditional must
 * not succeed afterwards; the processor does not prevent that, so a conditional store here cancels it. */
#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define BYTES 8
#define STORE_CONDITIONALLY sc.d
#else
#define STORE sw
#define LOAD lw
#define BYTES 4
#define STORE_CONDITIONALLY sc.w
#endif
	.text
	.balign	4
	.global	osProfileInterrupt
	.type	osProfileInterrupt, @function
osProfileInterrupt:
	addi	sp, sp, -16*BYTES
	STORE	ra, 0(sp)
	STORE	t0, 1*BYTES(sp)
	STORE	t1, 2*BYTES(sp)
	STORE	t2, 3*BYTES(sp)
	STORE	t3, 4*BYTES(sp)
	STORE	t4, 5*BYTES(sp)
	STORE	t5, 6*BYTES(sp)
	STORE	t6, 7*BYTES(sp)
	STORE	a0, 8*BYTES(sp)
	STORE	a1, 9*BYTES(sp)
	STORE	a2, 10*BYTES(sp)
	STORE	a3, 11*BYTES(sp)
	STORE	a4, 12*BYTES(sp)
	STORE	a5, 13*BYTES(sp)
	STORE	a6, 14*BYTES(sp)
	STORE	a7, 15*BYTES(sp)
	STORE_CONDITIONALLY zero, ra, (sp)
	csrr	a0, mepc
	call	ultra_riscv_sample
	LOAD	ra, 0(sp)
	LOAD	t0, 1*BYTES(sp)
	LOAD	t1, 2*BYTES(sp)
	LOAD	t2, 3*BYTES(sp)
	LOAD	t3, 4*BYTES(sp)
	LOAD	t4, 5*BYTES(sp)
	LOAD	t5, 6*BYTES(sp)
	LOAD	t6, 7*BYTES(sp)
	LOAD	a0, 8*BYTES(sp)
	LOAD	a1, 9*BYTES(sp)
	LOAD	a2, 10*BYTES(sp)
	LOAD	a3, 11*BYTES(sp)
	LOAD	a4, 12*BYTES(sp)
	LOAD	a5, 13*BYTES(sp)
	LOAD	a6, 14*BYTES(sp)
	LOAD	a7, 15*BYTES(sp)
	addi	sp, sp, 16*BYTES
	mret
	.size	osProfileInterrupt, . - osProfileInterrupt
