/* __PROFILE_ENTRY for programs whose entries keep the registers: 0(%rsp) is the return into the function, 8(%rsp) its caller's rdi,
 * 16(%rsp) where it returns to. Destroyed on purpose: rax, rdi, r11, the flags. */
	.text
	.globl	__PROFILE_ENTRY
	.type	__PROFILE_ENTRY, @function
__PROFILE_ENTRY:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	testl	$15, %esp
	jz	1f
	incl	misaligned(%rip)
1:	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%r8
	pushq	%r9
	pushq	%r10
	subq	$48 + 128, %rsp
	movups	%xmm0, 48(%rsp)
	movups	%xmm1, 64(%rsp)
	movups	%xmm2, 80(%rsp)
	movups	%xmm3, 96(%rsp)
	movups	%xmm4, 112(%rsp)
	movups	%xmm5, 128(%rsp)
	movups	%xmm6, 144(%rsp)
	movups	%xmm7, 160(%rsp)
	movq	16(%rbp), %rax
	movq	%rax, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	24(%rbp), %rax
	movq	%rax, 32(%rsp)
	movq	%rsp, %rsi
	andq	$-16, %rsp
	pushq	%rsi
	pushq	%rsi
	call	note_entry
	popq	%rsp
	movups	48(%rsp), %xmm0
	movups	64(%rsp), %xmm1
	movups	80(%rsp), %xmm2
	movups	96(%rsp), %xmm3
	movups	112(%rsp), %xmm4
	movups	128(%rsp), %xmm5
	movups	144(%rsp), %xmm6
	movups	160(%rsp), %xmm7
	addq	$48 + 128, %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rbp
	.cfi_def_cfa rsp, 8
	xorl	%eax, %eax
	movq	$-1, %rdi
	movq	$-1, %r11
	cmpq	$-1, %rdi
	ret
	.cfi_endproc
	.size	__PROFILE_ENTRY, .-__PROFILE_ENTRY
	.section .note.GNU-stack, "", @progbits
