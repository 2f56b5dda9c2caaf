/* SPDX-License-Identifier: MIT
 *
 * Cortex-M. Interrupts are masked by PRIMASK, so the hooks may be called from any handler but NMI and HardFault. The clock is
 *
 *   the cycle counter CYCCNT (M3 and later), which hook_init() starts. Some machines have none, QEMU's too: then nothing is recorded, and
 *       the control area says so;
 *   HOOK_COUNTER_AT=ADDRESS: another register of 32 bits that counts up through all of them, and counts already;
 *   HOOK_CLOCK_SYSTICK: SysTick, which the system has started; for M0, which has no other.
 *
 * A counter of 32 bits is continued by comparing with what was read last: a hook or hook_tick() once for each time that it comes round. */
#ifndef DWELL_PORT_C6000_CORTEX_M_H
#define DWELL_PORT_C6000_CORTEX_M_H

#include "port/c6000/gnu.h"

#define HOOK_REGISTER(address) (*(volatile hook_u32 *)(address))

typedef hook_u32 hook_port_held;

HOOK_INLINE hook_port_held hook_port_hold(void)
{
	hook_port_held held;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(held) : : "memory");
	return held;
}

HOOK_INLINE void hook_port_release(hook_port_held held)
{
	__asm__ volatile("msr primask, %0" : : "r"(held) : "memory");
}

#ifdef HOOK_CLOCK_SYSTICK
#define SYSTICK_CONTROL HOOK_REGISTER(0xe000e010)
#define SYSTICK_RELOAD HOOK_REGISTER(0xe000e014)
#define SYSTICK_VALUE HOOK_REGISTER(0xe000e018)
#define SYSTICK_ON 1u
#define SYSTICK_CAME_ROUND 0x10000u /* since it was read last: reading takes it away */

/* The time at which the counter, which counts down, was 0 the last time that somebody looked. */
struct hook_clock {
	hook_u32 base, base_high;
};
#define HOOK_CLOCK_BEGIN {1, 1}

HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	clock->base = 0;
	clock->base_high = 0;
	return (SYSTICK_CONTROL & SYSTICK_ON) && SYSTICK_RELOAD;
}

/* A round begins at 0, not at the reload value: the flag is set there. It may come round at any instruction, so it is read on both sides
 * of the flag: if the flag says so, the later value is of the new round; if not, the earlier one is of the old one. Interrupts being
 * masked, the handler of the timer has not run yet, and what it would count is not asked for. */
HOOK_INLINE void hook_port_now(struct hook_clock *clock, hook_u32 *low, hook_u32 *high)
{
	hook_u32 period = SYSTICK_RELOAD + 1, value = SYSTICK_VALUE;

	if (SYSTICK_CONTROL & SYSTICK_CAME_ROUND) {
		value = SYSTICK_VALUE;
		clock->base += period;
		clock->base_high += clock->base < period;
	}
	*low = clock->base + (value ? period - value : 0);
	*high = clock->base_high + (*low < clock->base);
}
#else
#ifdef HOOK_COUNTER_AT
#define HOOK_COUNTER HOOK_REGISTER(HOOK_COUNTER_AT)
#else
#define HOOK_COUNTER HOOK_REGISTER(0xe0001004) /* DWT_CYCCNT */
#define DEBUG_CONTROL HOOK_REGISTER(0xe000edfc)
#define DEBUG_TRACE 0x1000000u
#define DWT_LOCK HOOK_REGISTER(0xe0001fb0)
#define DWT_KEY 0xc5acce55u
#define DWT_CONTROL HOOK_REGISTER(0xe0001000)
#define DWT_NO_COUNTER 0x2000000u
#define DWT_COUNTS 1u
#endif

#define HOOK_PORT_WRAPS 1

#if defined(__thumb2__) && !defined(HOOK_PLAIN_C)
#define HOOK_PORT_HOOKS /* port/cpu/armv7m/hooks.S */
#endif

/* What was read last, and how often the counter had come round then. */
struct hook_clock {
	hook_u32 last, rounds;
};
#define HOOK_CLOCK_BEGIN {1, 1}

HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	hook_u32 first;

#ifndef HOOK_COUNTER_AT
	DEBUG_CONTROL |= DEBUG_TRACE;
	DWT_LOCK = DWT_KEY; /* M7 has such a lock */
	if (DWT_CONTROL & DWT_NO_COUNTER)
		return 0;
	DWT_CONTROL |= DWT_COUNTS;
	if (!(DWT_CONTROL & DWT_COUNTS))
		return 0;
#endif
	first = HOOK_COUNTER;
	clock->last = first;
	clock->rounds = 0;
	return 1;
}

HOOK_INLINE void hook_port_now(struct hook_clock *clock, hook_u32 *low, hook_u32 *high)
{
	hook_u32 now = HOOK_COUNTER, rounds = clock->rounds;

	if (now < clock->last)
		rounds++;
	clock->last = now;
	clock->rounds = rounds;
	*low = now;
	*high = rounds;
}

/* What the assembly loads at once, in this order. */
struct hook_state {
	volatile hook_u32 count;
	struct hook_clock clock;
	volatile hook_u32 *counter;
	hook_u32 *words;
	hook_u32 last_index; /* of a record */
};
#define HOOK_STATE_BEGIN(words, capacity) {HOOK_COUNT_OFF, HOOK_CLOCK_BEGIN, &HOOK_COUNTER, words, (capacity) - 1}
#endif

#endif
