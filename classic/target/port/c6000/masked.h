/* SPDX-License-Identifier: MIT
 *
 * Definitions shared by ports that mask interrupts, and whose pointers have 32 bits, or low 32 bits that
 * identify the address. Needs HOOK_INLINE, and hook_port_barrier(), across which the compiler moves no store. */
#ifndef DWELL_CLASSIC_PORT_C6000_MASKED_H
#define DWELL_CLASSIC_PORT_C6000_MASKED_H

#include <stdint.h>

#ifndef HOOK_HZ
#define HOOK_HZ 0
#endif
#define HOOK_PORT_HZ HOOK_HZ
#define HOOK_PORT_UNWRITTEN(record) ((void)(record))
#define HOOK_PORT_WRITTEN() ((void)0)

HOOK_INLINE int hook_port_claim(volatile hook_u32 *count, hook_u32 was, hook_u32 next)
{
	(void)count;
	(void)was;
	(void)next;
	return 1;
}

/* The count moves only after the record is complete. */
HOOK_INLINE void hook_port_commit(volatile hook_u32 *count, hook_u32 next)
{
	hook_port_barrier();
	*count = next;
}

HOOK_INLINE hook_u32 hook_port_place(uintptr_t pointer)
{
	return (hook_u32)pointer;
}

HOOK_INLINE int hook_port_mine(volatile uintptr_t *missed)
{
	(void)missed;
	return 1;
}

#endif
