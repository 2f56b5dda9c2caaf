/* SPDX-License-Identifier: MIT
 *
 * x86-64: the time-stamp counter, and a claim in one instruction.
 *
 * If the C library registered the thread for restartable sequences (glibc 2.35 and later do), a commit is such a sequence: its last
 * store moves pos, and the kernel restarts it if a signal or a preemption came before that store. Otherwise a cmpxchg without lock
 * prefix moves pos; a signal cannot divide that instruction.
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

/* Evicts the cache line of this address from all caches. port_evict_done waits until all lines are evicted. */
static inline void port_evict(const volatile void *address)
{
	__asm__ volatile("clflush %0" : : "m"(*(const volatile char *)address) : "memory");
}
static inline void port_evict_done(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

static inline bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
{
	bool done;

	__asm__ volatile("cmpxchg %3, %1" : "=@ccz"(done), "+m"(*word), "+a"(expected) : "r"(desired) : "memory", "cc");
	return done;
}

#define PORT_OWN_ADD
static inline dwell_pos port_add(volatile dwell_pos *word, dwell_pos add)
{
	__asm__ volatile("xadd %0, %1" : "+r"(add), "+m"(*word) : : "memory", "cc");
	return add;
}

/* call rel32, or call *disp32(%rip); the pointer's address identifies the target of the latter. */
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

/* The return address of a handler is the kernel's sigreturn code: mov $15, %rax (or %eax); syscall. */
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

/* Other cores observe the stores of one core in order; so only the compiler must be kept from reordering. */
#define PORT_OWN_PUBLISH
static inline void port_publish(void)
{
	__asm__ volatile("" ::: "memory");
}

/* In stub.S. */
extern uint32_t dwell_rseq_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, uint64_t count,
	uint64_t *rseq_cs) __attribute__((visibility("hidden")));
/* Offset of the thread's struct rseq from its thread pointer; 0: not registered, the claim is cmpxchg. Set
 * before the first ring is made. */
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

/* Returns the stack pointer before the call of setjmp: glibc stores it scrambled, musl plain. */
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
	/* The first slot last: the drainer stops at a slot that is 0, and so copies related slots only as a whole. */
	for (unsigned i = count; i-- > 0;)
		*dwell_ring_slot(ring, expected + i * DWELL_SLOT_BYTES) = slots[i];
	return true;
}

#endif
