/* SPDX-License-Identifier: MIT
 *
 * Interposes functions of libc that C cannot wrap: makecontext takes any number of arguments, vfork returns twice (contexts.c);
 * syscall may return on another stack (forks.c). INTERPOSED in agent.h explains the names. Also the pad where exceptions land
 * first.
 */
#ifdef DWELL_LINKED_AGENT
#define makecontext __wrap_makecontext
#define vfork __wrap_vfork
#define LIBC_SYSCALL __wrap_syscall
#else
#define LIBC_SYSCALL syscall
#endif
#include "port/cpu/x86_64/cfi.h"

#define SYS_CLONE 56
#define SYS_FORK 57
#define SYS_PRCTL 157
#define SYS_SECCOMP 317
#define SYS_CLONE3 435
#define CLONE_VM 0x100

	.section .note.GNU-stack, "", @progbits
	.text

	/* Calls a function before a jump to another one with the same arguments. */
.macro call_keeping function
	push_cfi rdi
	push_cfi rsi
	push_cfi rdx
	push_cfi rcx
	push_cfi r8
	push_cfi r9
	push_cfi rax
	call \function
	pop_cfi rax
	pop_cfi r9
	pop_cfi r8
	pop_cfi rcx
	pop_cfi rdx
	pop_cfi rsi
	pop_cfi rdi
.endm

	/* void makecontext(ucontext_t *, void (*)(void), int count, ...): its arguments on the stack stay where they are. */
	.globl makecontext
	.type makecontext, @function
	.balign 16
makecontext:
	.cfi_startproc
	call_keeping contexts_note_stack
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

	/* long syscall(long number, ...): all but forks is a jump to libc's function: a child with a stack of its own, or with the
	 * memory of its parent, does not return to a frame of the agent. The argument of clone3 has the flags at 0 and the stack
	 * at 40. */
	.globl LIBC_SYSCALL
	.type LIBC_SYSCALL, @function
	.balign 16
LIBC_SYSCALL:
	.cfi_startproc
	cmpq $0, forks_real_syscall(%rip)
	je 4f
1:	cmp $SYS_FORK, %rdi
	je forks_syscall
	cmp $SYS_CLONE, %rdi
	je 2f
	cmp $SYS_PRCTL, %rdi
	je 5f
	cmp $SYS_SECCOMP, %rdi
	je 5f
	cmp $SYS_CLONE3, %rdi
	jne 3f
	cmp $64, %rdx
	jb 3f
	test %rsi, %rsi
	jz 3f
	testl $CLONE_VM, (%rsi)
	jnz 3f
	cmpq $0, 40(%rsi)
	jne 3f
	jmp forks_syscall
2:	test $CLONE_VM, %esi
	jnz 3f
	test %rdx, %rdx
	jz forks_syscall
3:	jmp *forks_real_syscall(%rip)
4:	call_keeping forks_find_syscall
	jmp 1b
5:	call_keeping confined_note_call
	jmp 3b
	.cfi_endproc
	.size LIBC_SYSCALL, . - LIBC_SYSCALL

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
