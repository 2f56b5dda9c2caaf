/* What a hook could do at the least: read the clock, and keep what must be kept by code that is called unasked. For patched sites,
 * and for -finstrument-functions. */
	.section .note.GNU-stack, "", @progbits
	.text
.macro clock name
	.balign 64
	.globl \name
	.type \name, @function
\name:
	mov %rax, -8(%rsp)
	mov %rdx, -16(%rsp)
	rdtsc
	mov -8(%rsp), %rax
	mov -16(%rsp), %rdx
	ret
	.size \name, . - \name
.endm
	clock __fentry__
	clock __return__
	clock __cyg_profile_func_enter
	clock __cyg_profile_func_exit
