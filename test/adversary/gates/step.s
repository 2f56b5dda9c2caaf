# long call_stepping(function, first, second): calls it with the trap flag set, so that a signal comes before each of its instructions, and
# before each of what it runs in gates.
	.text
	.globl	call_stepping
	.type	call_stepping, @function
	.p2align 4
call_stepping:
	.cfi_startproc
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	mov	%rdi, %rax
	mov	%rsi, %rdi
	mov	%rdx, %rsi
	pushfq
	.cfi_def_cfa_offset 24
	orl	$0x100, (%rsp)
	popfq
	.cfi_def_cfa_offset 16
	call	*%rax
	.globl	call_stepping_return
call_stepping_return:
	pushfq
	.cfi_def_cfa_offset 24
	andl	$~0x100, (%rsp)
	popfq
	.cfi_def_cfa_offset 16
	.globl	call_stepping_end
call_stepping_end:
	add	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	call_stepping, . - call_stepping
	.section .note.GNU-stack, "", @progbits
