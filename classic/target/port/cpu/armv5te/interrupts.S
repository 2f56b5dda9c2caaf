/* SPDX-License-Identifier: MIT
 *
 * Masks interrupts (classic/target/port/nitro/port.h). On one processor that keeps other threads out, too. */
	.arch	armv5te
	.arm
	.text

	.global	nitro_port_mask
	.type	nitro_port_mask, %function
	.global	nitro_port_lock
	.type	nitro_port_lock, %function
nitro_port_lock:
nitro_port_mask:
	mrs	r0, cpsr
	orr	r1, r0, #0xc0
	msr	cpsr_c, r1
	bx	lr
	.size	nitro_port_mask, . - nitro_port_mask

	.global	nitro_port_unmask
	.type	nitro_port_unmask, %function
	.global	nitro_port_unlock
	.type	nitro_port_unlock, %function
nitro_port_unlock:
nitro_port_unmask:
	and	r0, r0, #0xc0
	mrs	r1, cpsr
	bic	r1, r1, #0xc0
	orr	r0, r0, r1
	msr	cpsr_c, r0
	bx	lr
	.size	nitro_port_unmask, . - nitro_port_unmask
