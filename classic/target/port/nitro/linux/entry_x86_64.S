/* SPDX-License-Identifier: MIT
 *
 * __PROFILE_ENTRY and __PROFILE_EXIT. The compiler's plugin calls them anywhere, so they preserve every register that the
 * plugin does not save itself. At an entry the plugin saves rdi, which holds the name: its value at the function's call
 * is on the stack behind the return address, and behind that is the function's return address. The stack is not aligned.
 *
 * VECTORS: the called functions may use vector registers. */

#ifdef __x86_64__
	.macro	keep
	push	%rbp
	mov	%rsp, %rbp
	push	%rax
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%rcx		/* these four in the order of r0 to r3 */
	push	%rdx
	push	%rsi
	.endm

	.macro	call_it	function
	lea	-72(%rbp), %rdx
	and	$-16, %rsp
#ifdef VECTORS
	sub	$128, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	%xmm\n, 16*\n(%rsp)
	.endr
#endif
	call	\function
#ifdef VECTORS
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	16*\n(%rsp), %xmm\n
	.endr
#endif
	lea	-72(%rbp), %rsp
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rax
	pop	%rbp
	ret
	.endm

	.text
	.globl	__PROFILE_ENTRY
	.type	__PROFILE_ENTRY, @function
	.p2align 4
__PROFILE_ENTRY:
	keep
	push	16(%rbp)	/* the first argument */
	mov	24(%rbp), %rsi
	call_it	nitro_enter
	.size	__PROFILE_ENTRY, . - __PROFILE_ENTRY

	.globl	__PROFILE_EXIT
	.type	__PROFILE_EXIT, @function
	.p2align 4
__PROFILE_EXIT:
	keep
	push	%rdi
	call_it	nitro_exit
	.size	__PROFILE_EXIT, . - __PROFILE_EXIT
#endif
	.section .note.GNU-stack, "", @progbits
