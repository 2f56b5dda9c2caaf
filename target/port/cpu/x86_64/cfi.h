/* SPDX-License-Identifier: MIT
 *
 * For assembly: push and pop, with what unwinders are to know of it.
 */
.macro push_cfi register
	push %\register
	.cfi_adjust_cfa_offset 8
.endm
.macro pop_cfi register
	pop %\register
	.cfi_adjust_cfa_offset -8
.endm
/* Of a register that a function keeps for its caller. */
.macro push_kept register
	push_cfi \register
	.cfi_rel_offset %\register, 0
.endm
.macro pop_kept register
	pop_cfi \register
	.cfi_restore %\register
.endm
