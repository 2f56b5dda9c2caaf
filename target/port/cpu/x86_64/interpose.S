/* SPDX-License-Identifier: MIT
 *
 * Interposes functions of libc that C cannot wrap: makecontext takes any number of arguments, vfork returns twice. See contexts.c.
 * INTERPOSED in agent.h explains the names. Also the pad where exceptions land first.
 */
#ifdef DWELL_LINKED_AGENT
#define makecontext __wrap_makecontext
#define vfork __wrap_vfork
#endif
#include "port/cpu/x86_64/cfi.h"

	.section .note.GNU-stack, "", @progbits
	.text

	/* void makecontext(ucontext_t *, void (*)(void), int count, ...): its arguments on the stack stay where they are. */
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

	/* pid_t vfork(void): the child runs on this stack until it execs or exits. So a register keeps the return address, and
	 * parent and child each push it again. On failure libc's own vfork is called, which also sets errno. */
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

	/* Where an exception lands first (unwind.c): the stack pointer and all registers belong to the frame in which the exception
	 * landed. That frame continues at the address that unwind_landed returns, and has nothing below the stack pointer. */
	.globl unwind_pad
	.hidden unwind_pad
	.type unwind_pad, @function
	.balign 16
unwind_pad:
	.cfi_startproc
	.cfi_undefined %rip
	endbr64
	lea -8(%rsp), %rsp
	push %rax
	push %rcx
	push %rdx
	push %rsi
	push %rdi
	push %r8
	push %r9
	push %r10
	push %r11
	push %rbx
	lea 88(%rsp), %rdi
	mov %rsp, %rbx
	and $-16, %rsp
	cld
	call unwind_landed
	mov %rbx, %rsp
	mov %rax, 80(%rsp)
	pop %rbx
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rdi
	pop %rsi
	pop %rdx
	pop %rcx
	pop %rax
	lea 8(%rsp), %rsp
	jmp *-8(%rsp)
	.cfi_endproc
	.size unwind_pad, . - unwind_pad
