/* SPDX-License-Identifier: MIT
 *
 * The hot path of x86-64, as a template: hooks.c copies it to a page within reach of each module with hooks and fills in the
 * places below. Twenty-four instructions an event, every branch direct and not taken.
 *
 *   rdi  the function (this_fn)         its low half is kept for the slow path
 *   rsi  its call site                  kept for the slow path
 *   r8   the thread's ring              rax, rcx, rdx, r9, r10  scratch: a hook is called like any function
 *
 * What is patched in
 *   RING   32 bits, displacement of the thread's ring word from fs
 *   RSEQ   32 bits, displacement of the thread's rseq_cs word from fs
 *   MASK   32 bits, bytes of the ring's data − 1
 *   descriptors and slow path: see fill_page in hooks.c
 *
 * Turned off, the first byte of each stub is a ret.
 *
 * What every stub must look at, and in this order. Behind the reading of pos, since only then an interrupt in between has it done again:
 *   1. pos is not at the head of a block
 *   2. the stack pointer is in [stack_low, stack_low + stack_bytes): the thread is on the stack that was said last. It is that at the entry
 *      of the hook, in front of its return address; whoever saved registers below it takes that into account, or the slow path, which is
 *      given the same pointer (port_stack_pointer), and the stub would not agree about the ends of a range
 *   3. the high half of the clock is the epoch
 */
#define RING 0x11111111
#define RSEQ 0x22222222
#define MASK 0x33333333
#define BLOCK_MASK 0xfff
#define HEADER_BYTES 4096
#define STACK_LOW 32
#define STACK_BYTES 40
#define RSEQ_SIGNATURE 0x53053053

	.section .note.GNU-stack, "", @progbits
	.section .rodata.dwell_stub, "a", @progbits

	/* The restartable form. An abort comes back to `again`, since the kernel has cleared rseq_cs by then. */
.macro restartable name, bit
	.balign 64
	.globl dwell_stub_\name
	.hidden dwell_stub_\name
dwell_stub_\name:
	mov %fs:RING, %r8
	test %r8, %r8
	jz 9f
1:	lea 7f(%rip), %rax
	mov %rax, %fs:RSEQ
2:	mov (%r8), %rcx			/* pos */
	test $BLOCK_MASK, %ecx
	jz 9f				/* first slot of a block */
	mov %rsp, %rax
	sub STACK_LOW(%r8), %rax
	cmp STACK_BYTES(%r8), %rax
	jae 9f				/* another stack */
	rdtsc
	cmp %edx, 8(%r8)
	jne 9f				/* another epoch */
	.if \bit
	or $1, %edi			/* repeating this after an abort changes nothing */
	.else
	and $-2, %edi
	.endif
	shl $32, %rax
	or %rdi, %rax
	mov %ecx, %edx
	and $MASK, %edx
	mov %rax, HEADER_BYTES(%r8, %rdx)
	add $8, %rcx
	mov %rcx, (%r8)			/* commits */
3:	ret
9:	jmp *8f(%rip)
	.long RSEQ_SIGNATURE
4:	jmp 1b				/* abort */
	.balign 8
8:	.quad 0				/* the slow path */
	.balign 32
7:	.long 0, 0			/* struct rseq_cs: version, flags, start, length, abort */
	.quad 2b - dwell_stub_\name
	.quad 3b - 2b
	.quad 4b - dwell_stub_\name
	.globl dwell_stub_\name\()_slow, dwell_stub_\name\()_descriptor
	.hidden dwell_stub_\name\()_slow, dwell_stub_\name\()_descriptor
	.set dwell_stub_\name\()_slow, 8b
	.set dwell_stub_\name\()_descriptor, 7b
.endm

	/* The form without restartable sequences: the clock is read before the claim, so that a stamp is never late; a claim that fails
	 * starts again. */
.macro claiming name, bit
	.balign 64
	.globl dwell_stub_\name
	.hidden dwell_stub_\name
dwell_stub_\name:
	mov %fs:RING, %r8
	test %r8, %r8
	jz 9f
1:	mov (%r8), %rcx
	test $BLOCK_MASK, %ecx
	jz 9f
	mov %rsp, %rax
	sub STACK_LOW(%r8), %rax
	cmp STACK_BYTES(%r8), %rax
	jae 9f
	rdtsc
	cmp %edx, 8(%r8)
	jne 9f
	mov %edi, %edx
	.if \bit
	or $1, %edx
	.else
	and $-2, %edx
	.endif
	shl $32, %rax
	or %rax, %rdx			/* the slot */
	mov %rcx, %rax
	lea 8(%rcx), %r9
	cmpxchg %r9, (%r8)
	jne 1b
	and $MASK, %ecx
	mov %rdx, HEADER_BYTES(%r8, %rcx)
	ret
9:	jmp *8f(%rip)
	.balign 8
8:	.quad 0
	.globl dwell_stub_\name\()_slow
	.hidden dwell_stub_\name\()_slow
	.set dwell_stub_\name\()_slow, 8b
.endm

	.balign 64
	.globl dwell_stub_begin, dwell_stub_middle, dwell_stub_end
	.hidden dwell_stub_begin, dwell_stub_middle, dwell_stub_end
dwell_stub_begin:
	restartable enter, 0
	restartable exit, 1
	.balign 64
dwell_stub_middle:
	claiming claim_enter, 0
	claiming claim_exit, 1
	.balign 64
dwell_stub_end:

	.text

	/* uint32_t dwell_rseq_push(ring, expected, slots, count, rseq_cs): the same commit for the slow path. */
	.globl dwell_rseq_push
	.hidden dwell_rseq_push
	.type dwell_rseq_push, @function
dwell_rseq_push:
	lea .Lpush_descriptor(%rip), %rax
	mov %rax, (%r8)
.Lpush_start:
	cmp %rsi, (%rdi)
	jne .Lpush_failed
	mov 16(%rdi), %r9		/* bytes */
	dec %r9
	and %rsi, %r9
	add %rdi, %r9
	xor %r10d, %r10d
1:	mov (%rdx, %r10, 8), %rax
	mov %rax, HEADER_BYTES(%r9, %r10, 8)
	inc %r10
	cmp %rcx, %r10
	jb 1b
	lea (%rsi, %rcx, 8), %rax
	mov %rax, (%rdi)		/* commits */
.Lpush_end:
	mov $1, %eax
	ret
	.long RSEQ_SIGNATURE
.Lpush_failed:
	xor %eax, %eax
	ret
	.size dwell_rseq_push, . - dwell_rseq_push

	.section .data.rel.ro.dwell_stub, "aw", @progbits
	.balign 32
.Lpush_descriptor:
	.long 0, 0
	.quad .Lpush_start, .Lpush_end - .Lpush_start, .Lpush_failed

	/* What programs are linked against. Eight bytes, aligned: hooks.c may turn the jump into a direct one where the program holds a
	 * copy of this code itself (libdwell.a). */
	.text
.macro exported name, own, target
	.balign 16
	.globl \name
	.globl \own
	.hidden \own
	.type \name, @function
\own:
\name:
	jmp *\target(%rip)
	nop
	nop
	.size \name, . - \name
.endm
	exported __cyg_profile_func_enter, dwell_own_enter, dwell_enter_target
	exported __cyg_profile_func_exit, dwell_own_exit, dwell_exit_target
