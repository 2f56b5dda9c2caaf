/* SPDX-License-Identifier: MIT
 *
 * RISC-V in machine mode. MIE of mstatus masks interrupts. The clock is mcycle, 64 bits; with 32-bit
 * registers the code reads its halves until the high half is the same before and after the low one. */
#ifndef DWELL_CLASSIC_PORT_C6000_RISCV_H
#define DWELL_CLASSIC_PORT_C6000_RISCV_H

#include "classic/target/port/c6000/gnu.h"

#define MSTATUS_MIE 8

typedef hook_u32 hook_port_held;

HOOK_INLINE hook_port_held hook_port_hold(void)
{
	uintptr_t status;

	__asm__ volatile("csrrci %0, mstatus, %1" : "=r"(status) : "i"(MSTATUS_MIE) : "memory");
	return (hook_u32)status & MSTATUS_MIE;
}

HOOK_INLINE void hook_port_release(hook_port_held held)
{
	__asm__ volatile("csrs mstatus, %0" : : "r"((uintptr_t)held) : "memory");
}

struct hook_clock {
	hook_u32 unused;
};
#define HOOK_CLOCK_BEGIN {1}

HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	(void)clock;
	__asm__ volatile("csrci mcountinhibit, 1"); /* the counter may be stopped */
	return 1;
}

HOOK_INLINE void hook_port_now(struct hook_clock *clock, hook_u32 *low, hook_u32 *high)
{
	(void)clock;
#if __riscv_xlen == 32
	hook_u32 again;

	do
		__asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh" : "=r"(*high), "=r"(*low), "=r"(again));
	while (*high != again);
#else
	uint64_t now;

	__asm__ volatile("csrr %0, mcycle" : "=r"(now));
	*low = (hook_u32)now;
	*high = (hook_u32)(now >> 32);
#endif
}

#endif
