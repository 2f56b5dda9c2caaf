/* SPDX-License-Identifier: MIT
 *
 * The hot path of x86-64, as a template: stubs.c copies it to a page within reach of each module with hooks and fills in the places
 * below. Twenty-four instructions for each event; every branch is direct and not taken.
 *
 *   rdi  the function (this_fn)         its low half is kept for the slow path
 *   rsi  its call site                  kept for the slow path
 *   r8   the thread's ring              rax, rcx, rdx, r9, r10  scratch: a hook is called like any function
 *
 * stubs.c fills in
 *   RING   32 bits, displacement of the thread's ring word from fs
 *   RSEQ   32 bits, displacement of the thread's rseq_cs word from fs
 *   MASK   32 bits, bytes of the ring's data − 1
 *   MAP    32 bits, address of the map of functions that are not recorded, below 2 GiB; in the chosen and the counting forms
 *   descriptors and slow path: see fill_page in stubs.c
 *
 * While recording is off, the first byte of each stub is a ret.
 *
 * Every stub makes these checks, in this order. They come after the stub reads pos, so that an interrupt in between
 * makes the stub repeat them:
 *   1. pos is not at the head of a block.
 *   2. The stack pointer is in [stack_low, stack_low + stack_bytes): the thread is on the stack of the last STACK tag. The stack
 *      pointer is that at the hook's entry, just below the hook's return address. A stub that has pushed registers must correct for
 *      them: the slow path gets the uncorrected pointer (port_stack_pointer), and both must agree about the ends of a range.
 *   3. The high half of the clock is the epoch.
 *
 * Patched sites (sites.c) call their stubs before a function's first and before its last instruction, where the function's
 * arguments or results are alive. So these stubs keep every register but r11, and the _keeping stubs keep r11, too. The site's
 * thunk stores the slot's low word at PLACE and jumps to the stub. The stub saves registers below the stack pointer, in the 128
 * bytes that the kernel leaves alone; the function itself has nothing there at these points.
 */
#include "port/cpu/x86_64/cfi.h"

#define RING 0x11111111
#define RSEQ 0x22222222
#define MASK 0x33333333
#define MAP 0x44444444
#define COUNTERS 2048	/* counts of calls that are not recorded, in the page before the ring's data: port/os/linux/throttle.h */
#define GRANULE_SHIFT 4
#define BLOCK_MASK 0xfff
#define HEADER_BYTES 4096
#define STACK_LOW 32
#define STACK_BYTES 40
#define RSEQ_SIGNATURE 0x53053053
#define DIRECTION_FLAG 0x400
#define SAVED_RAX -8(%rsp)
#define SAVED_RDX -16(%rsp)
#define PLACE -24(%rsp)
#define SAVED_R11 -32(%rsp)

	.section .note.GNU-stack, "", @progbits
	.section .rodata.dwell_stub, "a", @progbits

	/* The start of every stub. */
.macro begin name
	.balign 64
	.globl dwell_stub_\name
	.hidden dwell_stub_\name
dwell_stub_\name:
.endm

.macro find_ring ring
	mov %fs:RING, \ring
	test \ring, \ring
	jz 9f
.endm

	/* Checks 2 and 3 of every stub; leaves the clock in edx:eax. */
.macro check_event ring, slow
	mov %rsp, %rax
	sub STACK_LOW(\ring), %rax
	cmp STACK_BYTES(\ring), %rax
	jae \slow			/* another stack */
	rdtsc
	cmp %edx, 8(\ring)
	jne \slow			/* another epoch */
.endm

	/* Sets bit 0 of the slot's low word to exit or enter. After an abort this runs again, which changes nothing. */
.macro set_kind bit, word
	.if \bit
	or $1, \word
	.else
	and $-2, \word
	.endif
.endm

	/* Saves and restores the registers that a site's stub uses. */
.macro save keeps
	mov %rax, SAVED_RAX
	mov %rdx, SAVED_RDX
	.if \keeps
	mov %r11, SAVED_R11
	.endif
.endm

.macro restore keeps
	mov SAVED_RAX, %rax
	mov SAVED_RDX, %rdx
	.if \keeps
	mov SAVED_R11, %r11
	.endif
.endm

	/* The word that the jump at 9: goes through. */
.macro slow_way name
	.balign 8
8:	.quad 0
	.globl dwell_stub_\name\()_slow
	.hidden dwell_stub_\name\()_slow
	.set dwell_stub_\name\()_slow, 8b
.endm

	/* Looks the function up in the map of functions that are not recorded (port/os/linux/filter.h). Changes only rax. chosen 1:
	 * all that are in the map are left out; 2: some are counted. */
.macro look_into_map chosen
	mov %edi, %eax
	shr $GRANULE_SHIFT, %eax
	cmpb $0, MAP(%rax)
	.if \chosen == 2
	jne 11f
	.else
	jne 10f
	.endif
.endm

	/* The code at 11: for functions that are not recorded. Value 1: return; any other: the number of a counter. Counting is one
	 * addition in memory, which no interrupt can divide. */
.macro count_call ring, chosen
	.if \chosen == 2
11:	movzbl MAP(%rax), %eax
	cmp $1, %eax
	je 10b
	find_ring \ring
	incq COUNTERS(\ring, %rax, 8)
	ret
	.endif
.endm

	/* The restartable form. An abort goes back to 1, since the kernel has cleared rseq_cs by then.
	 *
	 * site 0: the stub of a hook; bit 1: of an exit. site 1: the stub of a patched site; keeps: r11, too. A site takes
	 * twenty-six instructions, and two in the thunk. It saves only the registers that rdtsc changes: so it reads pos again
	 * instead of keeping it, and moves pos in memory. */
.macro restartable name, ring, site=0, bit=0, keeps=0, chosen=0
	begin \name
	.if \site
	save \keeps
	.endif
	.if \chosen
	look_into_map \chosen
	.endif
	find_ring \ring
1:	lea 7f(%rip), %rax
	mov %rax, %fs:RSEQ
2:
	.if \site
	testl $BLOCK_MASK, (\ring)
	.else
	mov (\ring), %rcx		/* pos */
	test $BLOCK_MASK, %ecx
	.endif
	jz 9f				/* first slot of a block */
	check_event \ring, 9f
	.if \site
	shl $32, %rax
	mov PLACE, %edx
	or %rdx, %rax
	mov (\ring), %edx
	.else
	set_kind \bit, %edi
	shl $32, %rax
	or %rdi, %rax
	mov %ecx, %edx
	.endif
	and $MASK, %edx
	mov %rax, HEADER_BYTES(\ring, %rdx)
	.if \site
	addq $8, (\ring)		/* commits */
	.else
	add $8, %rcx
	mov %rcx, (\ring)		/* commits */
	.endif
3:
	.if \site
	restore \keeps
	.endif
10:	ret
	count_call \ring, \chosen
9:	jmp *8f(%rip)
	.long RSEQ_SIGNATURE
4:	jmp 1b				/* abort */
	slow_way \name
	.balign 32
7:	.long 0, 0			/* struct rseq_cs: version, flags, start, length, abort */
	.quad 2b - dwell_stub_\name
	.quad 3b - 2b
	.quad 4b - dwell_stub_\name
	.globl dwell_stub_\name\()_descriptor
	.hidden dwell_stub_\name\()_descriptor
	.set dwell_stub_\name\()_descriptor, 7b
.endm

	/* The form without restartable sequences: the clock is read before the claim, so that a stamp is never late; a claim that
	 * fails starts again. next: one more register; a site saves next and rcx. */
.macro claiming name, ring, next, site=0, bit=0, keeps=0, chosen=0
	begin \name
	.if \site
	save \keeps
	.endif
	.if \chosen
	look_into_map \chosen
	.endif
	find_ring \ring
	.if \site
	mov %rcx, -40(%rsp)
	mov \next, -48(%rsp)
	.endif
1:	mov (\ring), %rcx
	test $BLOCK_MASK, %ecx
	jz 6f
	check_event \ring, 6f
	.if \site
	shl $32, %rax
	mov PLACE, %edx
	.else
	mov %edi, %edx
	set_kind \bit, %edx
	shl $32, %rax
	.endif
	or %rax, %rdx			/* the slot */
	mov %rcx, %rax
	lea 8(%rcx), \next
	cmpxchg \next, (\ring)
	jne 1b
	and $MASK, %ecx
	mov %rdx, HEADER_BYTES(\ring, %rcx)
	.if \site
	mov -40(%rsp), %rcx
	mov -48(%rsp), \next
	restore \keeps
	.endif
10:	ret
	count_call \ring, \chosen
6:
	.if \site
	mov -40(%rsp), %rcx
	mov -48(%rsp), \next
	.endif
9:	jmp *8f(%rip)
	slow_way \name
.endm

	.balign 64
	.globl dwell_stub_begin, dwell_stub_middle, dwell_stub_end
	.hidden dwell_stub_begin, dwell_stub_middle, dwell_stub_end
dwell_stub_begin:
	restartable enter, %r8, bit=0
	restartable exit, %r8, bit=1
	restartable chosen_enter, %r8, bit=0, chosen=1
	restartable chosen_exit, %r8, bit=1, chosen=1
	restartable counting_enter, %r8, bit=0, chosen=2
	restartable site, %r11, site=1
	restartable site_keeping, %r11, site=1, keeps=1
	.balign 64
dwell_stub_middle:
	claiming claim_enter, %r8, %r9, bit=0
	claiming claim_exit, %r8, %r9, bit=1
	claiming claim_chosen_enter, %r8, %r9, bit=0, chosen=1
	claiming claim_chosen_exit, %r8, %r9, bit=1, chosen=1
	claiming claim_counting_enter, %r8, %r9, bit=0, chosen=2
	claiming claim_site, %r11, %rsi, site=1
	claiming claim_site_keeping, %r11, %rsi, site=1, keeps=1
	.balign 64
dwell_stub_end:

	.text

	/* uint32_t dwell_rseq_push(ring, expected, slots, count, rseq_cs): the restartable commit for the slow path. Returns 1:
	 * committed; 0: pos was not expected, or the sequence was aborted. */
	.globl dwell_rseq_push
	.hidden dwell_rseq_push
	.type dwell_rseq_push, @function
dwell_rseq_push:
	.cfi_startproc
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
	.cfi_endproc
	.size dwell_rseq_push, . - dwell_rseq_push

	.section .data.rel.ro.dwell_stub, "aw", @progbits
	.balign 32
.Lpush_descriptor:
	.long 0, 0
	.quad .Lpush_start, .Lpush_end - .Lpush_start, .Lpush_failed

	/* The entries that programs link against. Eight bytes, aligned: in a program that contains this code (libdwell.a), hooks.c
	 * makes the jump a direct one. */
	.text
.macro exported name, own, target
	.balign 16
	.globl \name
	.globl \own
	.hidden \own
	.type \name, @function
\own:
\name:
	.cfi_startproc
	jmp *\target(%rip)
	nop
	nop
	.cfi_endproc
	.size \name, . - \name
.endm
	exported __cyg_profile_func_enter, dwell_own_enter, dwell_enter_target
	exported __cyg_profile_func_exit, dwell_own_exit, dwell_exit_target

	/* The slow path of a site: the stubs leave the registers, with rax, rdx and r11 below the stack pointer.
	 * agent_site is compiled without vector registers, so this code keeps all the others. struct site_registers in
	 * site_event.c is the layout at rdi. */
.macro slow_site name, flags
	.balign 16
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	.cfi_startproc
	lea -32(%rsp), %rsp		/* r11, place, rdx, rax */
	.cfi_adjust_cfa_offset 32
	push_cfi r10
	push_cfi r9
	push_cfi r8
	push_cfi rdi
	push_cfi rsi
	push_cfi rcx
	push_kept rbp
	push_kept rbx
	mov %rsp, %rdi
	mov $\flags, %esi
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushfq				/* assembly may have set the direction flag, and compiled code expects it clear */
	cld
	and $-16, %rsp
	call agent_site
	testl $DIRECTION_FLAG, -8(%rbp)
	jz 1f
	std
1:	mov %rbp, %rsp
	.cfi_def_cfa_register %rsp
	pop_kept rbx
	pop_kept rbp
	pop_cfi rcx
	pop_cfi rsi
	pop_cfi rdi
	pop_cfi r8
	pop_cfi r9
	pop_cfi r10
	pop_cfi r11
	lea 8(%rsp), %rsp
	.cfi_adjust_cfa_offset -8
	pop_cfi rdx
	pop_cfi rax
	ret
	.cfi_endproc
	.size \name, . - \name
.endm
	slow_site dwell_site_slow, 0
	slow_site dwell_site_slow_window, 1
	slow_site dwell_site_slow_values, 2
	slow_site dwell_site_slow_values_window, 3
	slow_site dwell_site_slow_entry, 4
	slow_site dwell_site_slow_entry_window, 5

	/* Thunks of some sites go to the slow path directly: if the module's low half of addresses collides with another
	 * module's; if arguments are recorded, which the slow path takes from the saved registers; and in functions
	 * without a site at their exits. */
.macro direct_site name, slow
	.balign 16
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	.cfi_startproc
	mov %rax, SAVED_RAX
	mov %rdx, SAVED_RDX
	mov %r11, SAVED_R11
	jmp \slow
	.cfi_endproc
	.size \name, . - \name
.endm
	direct_site dwell_site_window, dwell_site_slow_window
	direct_site dwell_site_values, dwell_site_slow_values
	direct_site dwell_site_values_window, dwell_site_slow_values_window
	direct_site dwell_site_entry, dwell_site_slow_entry
	direct_site dwell_site_entry_window, dwell_site_slow_entry_window

	/* A site that is not patched (yet). PLACE 0: the return address identifies the function. */
	.balign 16
	.globl __fentry__, dwell_own_fentry
	.hidden dwell_own_fentry
	.type __fentry__, @function
dwell_own_fentry:
__fentry__:
	.cfi_startproc
	mov %rax, SAVED_RAX
	movl $0, PLACE
	mov %rdx, SAVED_RDX
	mov %r11, SAVED_R11
	jmp dwell_site_slow
	.cfi_endproc
	.size __fentry__, . - __fentry__
