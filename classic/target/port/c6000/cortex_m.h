/* SPDX-License-Identifier: MIT
 *
 * Cortex-M. PRIMASK masks interrupts, so any handler but NMI and HardFault may call the hooks. The clock is one of:
 *
 *   the cycle counter CYCCNT (M3 and later), which hook_init() starts. Some machines have none, QEMU's too: then nothing is
 *       recorded, and the control area has HOOK_STATE_NO_CLOCK;
 *   HOOK_COUNTER_AT=ADDRESS: another register, which the system has started; it counts up to 0xffffffff, and then from 0 again;
 *   HOOK_CLOCK_SYSTICK: SysTick, which the system has started; for M0, which has no other.
 *
 * The code extends a counter of 32 bits by comparing with the last value, so
 * a hook or hook_tick() must run at least once in each round of the counter. */
#ifndef DWELL_CLASSIC_PORT_C6000_CORTEX_M_H
#define DWELL_CLASSIC_PORT_C6000_CORTEX_M_H

#include "classic/target/port/c6000/gnu.h"

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
#define SYSTICK_CAME_ROUND 0x10000u /* set when the counter comes round; reading clears it */

/* The time at which the counter, which counts down, was last found to have reached 0. */
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

/* A round begins at 0, not at the reload value: the flag is set there. The counter may come round at any instruction, so the
 * code reads it on both sides of the flag. If the flag is set, the later value belongs to the new round; if not, the earlier
 * value belongs to the old round. The system's SysTick handler may count rounds, too, but that count may lack the newest round:
 * interrupts are masked here, so the code counts rounds itself. */
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
#define HOOK_PORT_HOOKS /* classic/target/port/cpu/armv7m/hooks.S */
#endif

/* The last value of the counter, and its number of rounds then. */
struct hook_clock {
	hook_u32 last, rounds;
};
#define HOOK_CLOCK_BEGIN {1, 1}

HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	hook_u32 first;

#ifndef HOOK_COUNTER_AT
	DEBUG_CONTROL |= DEBUG_TRACE;
	DWT_LOCK = DWT_KEY; /* the M7 has this lock */
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

/* The words that the assembly loads together, in this order. */
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
