/* SPDX-License-Identifier: MIT
 *
 * AArch64: the virtual counter, and a claim by exclusive load and store.
 */
#ifndef DWELL_PORT_CPU_H
#define DWELL_PORT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_MACHINE 183 /* EM_AARCH64 */
#define PORT_CLOCK_BITS 64
#define PORT_CLOCK_FLAGS DWELL_CLOCK_GLOBAL
#define PORT_CLOCK_HZ port_clock_hz()
/* A program may be loaded at a multiple of 4 GiB, as qemu does. */
#define PORT_CODE_AT_ZERO

static inline uint64_t port_clock_hz(void)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

static inline uint64_t port_now(void)
{
	uint64_t now;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
	return now;
}

/* Evicts the cache line of this address from all caches. port_evict_done waits until all lines are evicted. Linux
 * allows this to programs. */
static inline void port_evict(const volatile void *address)
{
	__asm__ volatile("dc civac, %0" : : "r"(address) : "memory");
}
static inline void port_evict_done(void)
{
	__asm__ volatile("dsb sy" : : : "memory");
}

/* bl, with a reach of 128 MiB in both directions. */
#define PORT_CODE_STEP 4
static inline uint64_t port_call_target(uint64_t return_address)
{
	uint32_t code = ((const uint32_t *)return_address)[-1];

	if (code >> 26 != 0x25)
		return 0;
	return return_address - 4 + (uint64_t)((int64_t)((uint64_t)code << 38) >> 36);
}

/* The return address of a handler is the kernel's sigreturn code: mov x8, #139; svc #0. */
#define PORT_OWN_INTERRUPT
static inline bool port_site_is_interrupt(uintptr_t site)
{
	const volatile uint32_t *code = (const volatile uint32_t *)site;

	return site && site % 4 == 0 && code[0] == 0xd2801168 && code[1] == 0xd4000001;
}

/* An interrupt or a signal between the two halves clears the monitor, and the store fails. */
static inline bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
{
	dwell_pos was;
	uint32_t failed;

	__asm__ volatile("ldxr %0, %2\n"
			 "	cmp %0, %3\n"
			 "	b.ne 1f\n"
			 "	stxr %w1, %4, %2\n"
			 "	b 2f\n"
			 "1:	clrex\n"
			 "	mov %w1, #1\n"
			 "2:"
			 : "=&r"(was), "=&r"(failed), "+Q"(*word)
			 : "r"(expected), "r"(desired)
			 : "memory", "cc");
	return !failed;
}

#endif
