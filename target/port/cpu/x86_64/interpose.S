/* SPDX-License-Identifier: MIT
 *
 * Functions of libc that C cannot stand in front of: one takes any number of arguments, the other returns twice. See contexts.c.
 * Their names are as agent.h says.
 */
#ifdef DWELL_LINKED_AGENT
#define makecontext __wrap_makecontext
#define vfork __wrap_vfork
#endif
#include "port/cpu/x86_64/cfi.h"

	.section .note.GNU-stack, "", @progbits
	.text

	/* void makecontext(ucontext_t *, void (*)(void), int count, ...): what is on the stack for it stays where it is. */
	.globl makecontext
	.type makecontext, @function
	.balign 16
makecontext:
	.cfi_startproc
	push_cfi rdi
	push_cfi rsi
	push_cfi rdx
	push_cfi rcx
	push_cfi r8
	push_cfi r9
	push_cfi rax
	call contexts_note_stack
	pop_cfi rax
	pop_cfi r9
	pop_cfi r8
	pop_cfi rcx
	pop_cfi rdx
	pop_cfi rsi
	pop_cfi rdi
	jmp *contexts_real_makecontext(%rip)
	.cfi_endproc
	.size makecontext, . - makecontext

	/* pid_t vfork(void): the child runs on this stack until it goes another way, so the return address is kept in a register, and put
	 * back by each of the two. Where it fails, libc is asked, which also sets errno. */
	.globl vfork
	.type vfork, @function
	.balign 16
vfork:
	.cfi_startproc
	pop_cfi rdi
	.cfi_register %rip, %rdi
	mov $58, %eax
	syscall
	push_cfi rdi
	.cfi_rel_offset %rip, 0
	test %eax, %eax
	jz 1f
	js 2f
	push_cfi rax
	call contexts_note_vfork
	pop_cfi rax
1:	ret
2:	jmp *contexts_real_vfork(%rip)
	.cfi_endproc
	.size vfork, . - vfork
