/* SPDX-License-Identifier: MIT
 *
 * Macros for assembly: push and pop, with the directives that unwind tables need.
 */
.macro push_cfi register
	push %\register
	.cfi_adjust_cfa_offset 8
.endm
.macro pop_cfi register
	pop %\register
	.cfi_adjust_cfa_offset -8
.endm
/* For a callee-saved register. */
.macro push_kept register
	push_cfi \register
	.cfi_rel_offset %\register, 0
.endm
.macro pop_kept register
	pop_cfi \register
	.cfi_restore %\register
.endm
