/* SPDX-License-Identifier: MIT
 *
 * Functions of libc that C cannot stand in front of: one takes any number of arguments, the other returns twice. See contexts.c.
 * Their names are as agent.h says.
 */
#ifdef DWELL_LINKED_AGENT
#define makecontext __wrap_makecontext
#define vfork __wrap_vfork
#endif
	.section .note.GNU-stack, "", @progbits
	.text

	/* void makecontext(ucontext_t *, void (*)(void), int count, ...): what is on the stack for it stays where it is. */
	.globl makecontext
	.type makecontext, @function
	.balign 16
makecontext:
	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %r8
	push %r9
	push %rax
	call contexts_note_stack
	pop %rax
	pop %r9
	pop %r8
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	jmp *contexts_real_makecontext(%rip)
	.size makecontext, . - makecontext

	/* pid_t vfork(void): the child runs on this stack until it goes another way, so the return address is kept in a register, and put
	 * back by each of the two. Where it fails, libc is asked, which also sets errno. */
	.globl vfork
	.type vfork, @function
	.balign 16
vfork:
	pop %rdi
	mov $58, %eax
	syscall
	push %rdi
	test %eax, %eax
	jz 1f
	js 2f
	push %rax
	call contexts_note_vfork
	pop %rax
1:	ret
2:	jmp *contexts_real_vfork(%rip)
	.size vfork, . - vfork
