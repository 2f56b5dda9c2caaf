/* SPDX-License-Identifier: MIT
 *
 * The interface between the hooks of the C6000 profiler and a machine. The compiler's
 * macros select the port; -DHOOK_PORT='"my_port.h"' selects another one. A port defines
 *
 *   HOOK_INLINE, HOOK_CODE(group), HOOK_BUFFER
 *       The compiler's words for: a function to be inlined; a function that is called, never inlined and never hooked, in a section
 *       of that group (hook_funcs, hook_funcs_circular); memory for the buffer, which need not be loaded nor zeroed.
 *   hook_port_held hook_port_hold(void), void hook_port_release(hook_port_held)
 *       Between them no handler runs; pairs may nest. A port that cannot mask handlers leaves them empty, defines HOOK_PORT_CLAIMS,
 *       and claims records instead.
 *   int hook_port_claim(volatile hook_u32 *count, hook_u32 was, hook_u32 next)
 *       Claiming ports: sets the count to next if it is was, atomic against handlers; 0: the count was not was. Others: returns 1.
 *   void hook_port_commit(volatile hook_u32 *count, hook_u32 next)
 *       Masking ports: sets the count to next, after all stores to the records. Others: empty.
 *   HOOK_PORT_UNWRITTEN(record), HOOK_PORT_WRITTEN()
 *       Claiming ports: marks a record as unwritten; orders the stores before it before the stores after it. Others: empty.
 *   struct hook_clock, HOOK_CLOCK_BEGIN
 *       The state of the port's clock, and its initialiser: not all zeros, so that the linker places it beside the count.
 *   int hook_port_start(struct hook_clock *)
 *       Starts the counter, if it does not run yet. 0: it does not count.
 *   void hook_port_now(struct hook_clock *, hook_u32 *low, hook_u32 *high)
 *       Reads the 64-bit time, between hold and release; it never goes back.
 *   HOOK_PORT_HZ
 *       Counts in a second, 0: unknown.
 *   HOOK_PORT_WRAPS
 *       1: the counter has 32 bits, and the port counts its rounds; 0 (the default): the machine's counter has 64 bits.
 *   hook_u32 hook_port_place(pointer)
 *       Converts a pointer to a function or a string to 32 bits, as in the program's symbols; unchanged on 32-bit machines.
 *   int hook_port_mine(volatile uintptr_t *missed)
 *       Whether this is the processor (on Linux: the thread) that the buffer records; if not, increments missed.
 *
 * and may define HOOK_RETURN_ADDRESS(), the return address of the function around it; HOOK_ALIAS(name),
 * for declaring a second name of a function; HOOK_PORT_HOOKS, if it has the hooks themselves, with
 * struct hook_state and HOOK_STATE_BEGIN for their state, which begins with the count and the clock. */
#ifndef DWELL_CLASSIC_PORT_C6000_PORT_H
#define DWELL_CLASSIC_PORT_C6000_PORT_H

typedef unsigned int hook_u32; /* a word of the buffer, as in hook.h: 32 bits on each of these machines */

#if defined(HOOK_PORT)
#include HOOK_PORT
#elif defined(_TMS320C6X)
#include "classic/target/port/c6000/tms320c6000.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "classic/target/port/c6000/cortex_m.h"
#elif defined(__riscv) && !defined(__linux__)
#include "classic/target/port/c6000/riscv.h"
#elif defined(__linux__)
#include "classic/target/port/c6000/linux.h"
#else
#error "hook.c: no port for this machine: see classic/target/port/c6000/port.h, and define HOOK_PORT"
#endif

#ifndef HOOK_PORT_WRAPS
#define HOOK_PORT_WRAPS 0
#endif

#endif
