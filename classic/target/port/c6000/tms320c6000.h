/* SPDX-License-Identifier: MIT
 *
 * TI's C6000 with TI's compiler: control registers TSCL and TSCH, intrinsics _disable_interrupts and _restore_interrupts.
 * Nothing here is newer than C of 1989. Pragmas in hook.c set the sections, and exclude functions from hooking. */
#ifndef DWELL_CLASSIC_PORT_C6000_TMS320C6000_H
#define DWELL_CLASSIC_PORT_C6000_TMS320C6000_H

#include <c6x.h> /* TSCL, TSCH */
#include <stdint.h>

#define HOOK_INLINE static __inline
#define HOOK_CODE(group)
#define HOOK_BUFFER
#define hook_port_barrier() ((void)0) /* empty: interrupts stay disabled until after it, and no debugger is expected in between */

#include "classic/target/port/c6000/masked.h"

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

/* Any write starts the counter. It cannot be stopped. */
HOOK_INLINE int hook_port_start(struct hook_clock *clock)
{
	(void)clock;
	TSCL = 0;
	return 1;
}

/* The order matters: reading TSCL latches TSCH. */
HOOK_INLINE void hook_port_now(struct hook_clock *clock, hook_u32 *low, hook_u32 *high)
{
	(void)clock;
	*low = TSCL;
	*high = TSCH;
}

#endif
