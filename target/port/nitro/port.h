/* SPDX-License-Identifier: MIT
 *
 * What the NITRO profiler needs of a machine. Two ports: linux/ (threads of the system, a main() that calls NitroMain) and bare/
 * (ARMv5TE, a kernel of the user's, the board in one small file). Functions of nitro.h that an SDK has (OS_Printf, OS_GetTickLo
 * …) are called by those names, and each of ours is an object by itself (face/nitro/os/): so those of an SDK serve when it is
 * linked first, and of ours comes in what it lacks. */
#ifndef DWELL_PORT_NITRO_PORT_H
#define DWELL_PORT_NITRO_PORT_H

#include <stdbool.h>

#include "core/lines.h"

/* The running thread's buffer, null when it has none. A thread that ends lets go of it by itself where the system tells.
 * Context: any thread, any handler. */
struct lines_trace *nitro_port_get_trace(void);
void nitro_port_set_trace(struct lines_trace *trace);
struct lines_cost *nitro_port_get_cost(void);
void nitro_port_set_cost(struct lines_cost *cost);

/* The buffer that a profile of OS_SwitchProfile is; null when it is none. */
struct lines_cost *nitro_port_cost_of(void *profile);

/* The registers at a call are known: bits 0–3. And short ways in assembly are there. */
uint32_t nitro_port_registers(void);
bool nitro_port_short_ways(void);

/* The address of a 32-bit counter that is the tick of OS_GetTickLo, or 0 when there is none. */
uintptr_t nitro_port_tick_at(void);

/* The tick of OS_GetTick, as many low bits as a word has, for a line; what the thread was away since the last one is added to the
 * buffer first, where no switch of threads does it.
 * Context: the buffer's thread. */
lines_word nitro_port_line_tick(struct lines_cost *cost);

/* For a few instructions: no other thread is between these two. Handlers must not come here. */
uintptr_t nitro_port_lock(void);
void nitro_port_unlock(uintptr_t before);

/* Handlers wait, where they can be made to. */
uintptr_t nitro_port_mask(void);
void nitro_port_unmask(uintptr_t before);

/* OS_InitTick, OS_GetTick, for who has no other; and how often that of OS_GetTick counts in a second, 0 when it is not known: it
 * is somebody else's. */
void nitro_port_init_tick(void);
uint64_t nitro_port_tick(void);
uint32_t nitro_port_tick_hz(void);

/* Text for people. */
void nitro_port_put(const char *text, uint32_t length);

/* It is there when a part of the program calls __cyg_profile_func_enter, which a port has beside its __PROFILE_ENTRY: names are
 * then addresses of functions, at least some, and registers are not known. */
extern const char nitro_names_are_addresses __attribute__((weak));

/* It is there when OS_GetTick is ours. */
extern const char nitro_tick_is_own __attribute__((weak));

/* What a port calls from its __PROFILE_ENTRY and __PROFILE_EXIT. lr, arguments: those at the call, r0–r3.
 * Context: any code of the program's, any handler. */
void nitro_enter(lines_word name, lines_word lr, const lines_word *arguments);
void nitro_exit(void);

#endif
