/* SPDX-License-Identifier: MIT
 *
 * TI's C6000, by TI's compiler: its control registers TSCL and TSCH, its intrinsics _disable_interrupts and _restore_interrupts. Nothing
 * here is newer than C of 1989. Sections and hooks that are not to be are said by pragmas, in hook.c. */
#ifndef DWELL_PORT_C6000_TMS320C6000_H
#define DWELL_PORT_C6000_TMS320C6000_H

#include <c6x.h> /* TSCL, TSCH */
#include <stdint.h>

#define HOOK_INLINE static __inline
#define HOOK_CODE(group)
#define HOOK_BUFFER
#define hook_port_barrier() ((void)0) /* interrupts are disabled until behind it, and a debugger is not expected between */

#include "port/c6000/masked.h"

typedef unsigned int hook_port_held;

HOOK_INLINE hook_port_held hook_port_hold(void)
{
	return _disable_interrupts();
}

HOOK_INLINE void hook_port_release(hook_port_held held)
{
	_restore_interrupts(held);
}

struct hook_clock {
	hook_u32 unused;
};
#define HOOK_CLOCK_BEGIN {1}

/* Any write starts it. It cannot be stopped. */
HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	(void)clock;
	TSCL = 0;
	return 1;
}

/* In this order: reading TSCL is what TSCH is kept for. */
HOOK_INLINE void hook_port_now(struct hook_clock *clock, hook_u32 *low, hook_u32 *high)
{
	(void)clock;
	*low = TSCL;
	*high = TSCH;
}

#endif
