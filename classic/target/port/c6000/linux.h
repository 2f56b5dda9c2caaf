/* SPDX-License-Identifier: MIT
 *
 * A Linux program, to try code for another machine on a desk. The program stands for one processor:
 * the thread that called hook_init() is recorded, calls on other threads are only counted. Signal
 * handlers stand for interrupts; masking them costs too much, so records are claimed.
 *
 * Functions of the program's own file are recorded at the addresses
 * of its symbols, functions of shared libraries all at address 0. */
#ifndef DWELL_CLASSIC_PORT_C6000_LINUX_H
#define DWELL_CLASSIC_PORT_C6000_LINUX_H

#include <elf.h>
#include <stdint.h>

#define HOOK_PORT_CLAIMS
#include "classic/target/port/c6000/gnu.h"
#include "recorder/ring.h"
/* The processor's clock. Named with the folder, so that a user's compiler needs no more -I than for another machine. */
#if defined(__x86_64__)
#include "port/cpu/x86_64/cpu.h"
#elif defined(__aarch64__)
#include "port/cpu/aarch64/cpu.h"
#else
#error "hook.c: on Linux for x86-64 and AArch64 only"
#endif

#define HOOK_PORT_HZ ((uintptr_t)PORT_CLOCK_HZ)

/* One thread and its handlers write the words, so atomicity within one processor is enough. */
#define HOOK_PORT_UNWRITTEN(record) (*(volatile hook_u32 *)(record) = HOOK_RECORD_INVALID)
#define HOOK_PORT_WRITTEN() hook_port_barrier()

typedef int hook_port_held;

HOOK_INLINE hook_port_held hook_port_hold(void)
{
	return 0;
}

HOOK_INLINE void hook_port_release(hook_port_held held)
{
	(void)held;
}

HOOK_INLINE int hook_port_claim(volatile hook_u32 *count, hook_u32 was, hook_u32 next)
{
#ifdef __x86_64__
	int done;

	__asm__ volatile("cmpxchg %3, %1" : "=@ccz"(done), "+m"(*count), "+a"(was) : "r"(next) : "memory", "cc");
	return done;
#else
	return __atomic_compare_exchange_n(count, &was, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

HOOK_INLINE void hook_port_commit(volatile hook_u32 *count, hook_u32 next)
{
	(void)count;
	(void)next;
}

struct hook_clock {
	uintptr_t bias; /* load address minus link address of the program's file */
	const char *thread; /* address of a thread-local variable of the recorded thread */
};
#define HOOK_CLOCK_BEGIN {1, 0}

extern struct hook_clock dwell_hook_clock __attribute__((visibility("hidden")));
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
static __thread char hook_thread;

HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	clock->bias = __ehdr_start.e_type == ET_DYN ? (uintptr_t)&__ehdr_start : 0;
	clock->thread = &hook_thread;
	return 1;
}

HOOK_INLINE void hook_port_now(struct hook_clock *clock, hook_u32 *low, hook_u32 *high)
{
	uint64_t now = port_now();

	(void)clock;
	*low = (hook_u32)now;
	*high = (hook_u32)(now >> 32);
}

HOOK_INLINE hook_u32 hook_port_place(uintptr_t pointer)
{
	uintptr_t place = pointer - dwell_hook_clock.bias;

	return place >> 32 ? 0 : (hook_u32)place;
}

HOOK_INLINE int hook_port_mine(volatile uintptr_t *missed)
{
	if (dwell_hook_clock.thread == &hook_thread)
		return 1;
	if (dwell_hook_clock.thread)
		__atomic_fetch_add(missed, 1, __ATOMIC_RELAXED);
	return 0;
}

#endif
