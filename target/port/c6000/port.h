/* SPDX-License-Identifier: MIT
 *
 * What the hooks of the C6000 profiler need of a machine. The compiler tells which it is; another one is given with
 * -DHOOK_PORT='"my_port.h"'. A port gives
 *
 *   HOOK_INLINE, HOOK_CODE(group), HOOK_BUFFER
 *       How the compiler says: a function to be inlined; one that is called, never inlined and never hooked, in a section of that group
 *       (hook_funcs, hook_funcs_circular); memory for the buffer, which need not be loaded nor zeroed.
 *   hook_port_held hook_port_hold(void), void hook_port_release(hook_port_held)
 *       Between them no handler runs; pairs may nest. Where that cannot be, they do nothing, HOOK_PORT_CLAIMS is defined, and
 *   int hook_port_claim(volatile hook_u32 *count, hook_u32 was, hook_u32 next)
 *       makes the count next if it is was, atomic against handlers; 0: it was something else. Else it does nothing, and
 *   void hook_port_commit(volatile hook_u32 *count, hook_u32 next)
 *       does, behind all stores to the records.
 *   HOOK_PORT_UNWRITTEN(record), HOOK_PORT_WRITTEN()
 *       Where records are claimed: a record is marked as unwritten; the stores so far come before those that follow. Else nothing.
 *   struct hook_clock, HOOK_CLOCK_BEGIN
 *       What the port keeps for its clock, and its initialiser: not all zeros, so that it lies beside the count.
 *   int hook_port_start(struct hook_clock *)
 *       Starts the counter, or does nothing where it runs. 0: it does not count.
 *   void hook_port_now(struct hook_clock *, hook_u32 *low, hook_u32 *high)
 *       64 bits of it, between hold and release; they never go back.
 *   HOOK_PORT_HZ
 *       Counts in a second, 0: not known.
 *   HOOK_PORT_WRAPS
 *       1: the counter has 32 bits, and the port counts how often it came round; 0, also where it is not given: the machine has 64.
 *   hook_u32 hook_port_place(pointer)
 *       A pointer to a function or a string in 32 bits, as the program's symbols have it; on machines of 32 bits what it is.
 *   int hook_port_mine(volatile uintptr_t *missed)
 *       Whether this is the processor (on Linux: the thread) whose records the buffer has; else missed is one more.
 *
 * and may give HOOK_RETURN_ADDRESS(), where the function that it stands in returns to; HOOK_ALIAS(name), for a declaration of another
 * name of a function; HOOK_PORT_HOOKS, when it has the hooks themselves, and struct hook_state, HOOK_STATE_BEGIN, for what they keep: it
 * begins with the count and the clock. */
#ifndef DWELL_PORT_C6000_PORT_H
#define DWELL_PORT_C6000_PORT_H

typedef unsigned int hook_u32; /* the words of the buffer, as hook.h has them: 32 bits on every machine of these */

#if defined(HOOK_PORT)
#include HOOK_PORT
#elif defined(_TMS320C6X)
#include "port/c6000/tms320c6000.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "port/c6000/cortex_m.h"
#elif defined(__riscv) && !defined(__linux__)
#include "port/c6000/riscv.h"
#elif defined(__linux__)
#include "port/c6000/linux.h"
#else
#error "hook.c: no port for this machine: see port/c6000/port.h, and define HOOK_PORT"
#endif

#ifndef HOOK_PORT_WRAPS
#define HOOK_PORT_WRAPS 0
#endif

#endif
