/* SPDX-License-Identifier: MIT
 *
 * x86-64: the time-stamp counter, and a claim in one instruction.
 *
 * Where the C library registered the thread for restartable sequences (glibc 2.35 and later do), the commit is one: pos is moved by its
 * last store, and the kernel starts it again when a signal or a preemption came before that. Elsewhere pos is moved by a cmpxchg without
 * lock prefix, which a signal cannot divide.
 */
#ifndef DWELL_PORT_CPU_H
#define DWELL_PORT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_MACHINE 62 /* EM_X86_64 */
#define PORT_CLOCK_BITS 64
#define PORT_CLOCK_FLAGS DWELL_CLOCK_GLOBAL
#define PORT_CLOCK_HZ 0 /* only the host can measure it */

static inline uint64_t port_now(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static inline bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
{
	bool done;

	__asm__ volatile("cmpxchg %3, %1" : "=@ccz"(done), "+m"(*word), "+a"(expected) : "r"(desired) : "memory", "cc");
	return done;
}

/* call rel32, or call *disp32(%rip), which is known by its pointer. */
#define PORT_CODE_STEP 1
static inline uint64_t port_call_target(uint64_t return_address)
{
	const uint8_t *code = (const uint8_t *)return_address;
	int32_t displacement;

	__builtin_memcpy(&displacement, code - 4, sizeof displacement);
	if (code[-5] == 0xe8 || (code[-6] == 0xff && code[-5] == 0x15))
		return return_address + (uint64_t)(int64_t)displacement;
	return 0;
}

/* The return address of a handler is the code that the kernel knows as the way back: mov $15, %rax (or %eax); syscall. */
#define PORT_OWN_INTERRUPT
static inline bool port_site_is_interrupt(uintptr_t site)
{
	const uint8_t *code = (const uint8_t *)site;

	if (!code)
		return false;
	if (code[0] == 0x48 && code[1] == 0xc7 && code[2] == 0xc0)
		code += 3;
	else if (code[0] == 0xb8)
		code += 1;
	else
		return false;
	return code[0] == 15 && !code[1] && !code[2] && !code[3] && code[4] == 0x0f && code[5] == 0x05;
}

/* Stores of one core are seen in order by the others: only the compiler must keep them so. */
#define PORT_OWN_PUBLISH
static inline void port_publish(void)
{
	__asm__ volatile("" ::: "memory");
}

/* stub.S */
extern uint32_t dwell_rseq_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, uint64_t count, uint64_t *rseq_cs)
	__attribute__((visibility("hidden")));
/* Offset of the thread's struct rseq from its thread pointer; 0: not registered, the claim is cmpxchg. Set before the first ring. */
extern int64_t dwell_rseq_offset __attribute__((visibility("hidden")));
#define PORT_OWN_BEGIN
void port_begin(void) __attribute__((visibility("hidden"))); /* begin.c */

#define RSEQ_CS_OFFSET 8

static inline uint64_t *port_rseq_cs(void)
{
	unsigned char *thread_pointer;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	return (uint64_t *)(thread_pointer + dwell_rseq_offset + RSEQ_CS_OFFSET);
}

#define PORT_PATCHES /* hooks.c, sites.c, planned.c */

/* Where setjmp says the stack pointer is to be, as it was in front of its call: glibc keeps it scrambled, musl as it is. */
#define PORT_FRAMES /* port/os/linux/frames.h */
static inline uint64_t port_jump_pointer(const void *environment, bool scrambled)
{
	uint64_t pointer, guard;

	__builtin_memcpy(&pointer, (const char *)environment + 48, sizeof pointer);
	if (!scrambled)
		return pointer;
	__asm__("mov %%fs:48, %0" : "=r"(guard));
	return (pointer >> 17 | pointer << 47) ^ guard;
}

#define PORT_ARGS /* dwell_trace_values */
#define PORT_OWN_PUSH
static inline bool port_commits_last(void)
{
	return dwell_rseq_offset != 0;
}

static inline bool port_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, unsigned count)
{
	if (ring->commits_last)
		return dwell_rseq_push(ring, expected, slots, count, port_rseq_cs());
	if (!port_compare_exchange(&ring->pos, expected, expected + count * DWELL_SLOT_BYTES))
		return false;
	/* The first one last: who drains stops at a slot that is 0, and what belongs together stays so. */
	for (unsigned i = count; i-- > 0;)
		*dwell_ring_slot(ring, expected + i * DWELL_SLOT_BYTES) = slots[i];
	return true;
}

#endif
