/* SPDX-License-Identifier: MIT
 *
 * The interface between the NITRO profiler and a machine. Two ports: linux/ (threads of the system, a main() that calls
 * NitroMain) and bare/ (ARMv5TE, the user's kernel, the board in one small file). The profiler calls functions of
 * nitro.h that an SDK has (OS_Printf, OS_GetTickLo …) by those names. Each of dwell's versions is an object by itself
 * (face/nitro/os/), so an SDK that is linked first provides its own, and the library only adds the missing ones. */
#ifndef DWELL_CLASSIC_PORT_NITRO_PORT_H
#define DWELL_CLASSIC_PORT_NITRO_PORT_H

#include <stdbool.h>

#include "classic/core/lines.h"

/* The running thread's buffer, null without one. A thread that ends releases its buffer by itself, if the system reports the end.
 * Context: any thread, any handler. */
struct lines_trace *nitro_port_get_trace(void);
void nitro_port_set_trace(struct lines_trace *trace);
struct lines_cost *nitro_port_get_cost(void);
void nitro_port_set_cost(struct lines_cost *cost);

/* Returns the buffer behind a profile of OS_SwitchProfile; null: the profile has none. */
struct lines_cost *nitro_port_cost_of(void *profile);

/* nitro_port_registers: the registers at a call that the port can
 * read, bits 0–3. nitro_port_short_ways: the assembly has short ways. */
uint32_t nitro_port_registers(void);
bool nitro_port_short_ways(void);

/* Returns the address of a 32-bit counter that equals the tick of OS_GetTickLo, or 0. */
uintptr_t nitro_port_tick_at(void);

/* Returns the tick of OS_GetTick for a line: as many low bits as a word has. If no
 * switch of threads measures the time away, this function first adds it to the buffer.
 * Context: the buffer's thread. */
lines_word nitro_port_line_tick(struct lines_cost *cost);

/* A lock for a few instructions: no other thread is between lock and unlock. Not for handlers. */
uintptr_t nitro_port_lock(void);
void nitro_port_unlock(uintptr_t before);

/* Delays handlers, on ports that can mask them. */
uintptr_t nitro_port_mask(void);
void nitro_port_unmask(uintptr_t before);

/* OS_InitTick and OS_GetTick, for programs whose SDK has none; and the ticks
 * per second of OS_GetTick, 0 if the SDK's OS_GetTick has an unknown rate. */
void nitro_port_init_tick(void);
uint64_t nitro_port_tick(void);
uint32_t nitro_port_tick_hz(void);

/* Prints a message. */
void nitro_port_put(const char *text, uint32_t length);

/* Linked if a part of the program calls __cyg_profile_func_enter, which a port has beside its __PROFILE_ENTRY:
 * then at least some names are addresses of functions, and the registers at calls are unknown. */
extern const char nitro_names_are_addresses __attribute__((weak));

/* Linked if OS_GetTick is dwell's. */
extern const char nitro_tick_is_own __attribute__((weak));

/* A port calls these from its __PROFILE_ENTRY and __PROFILE_EXIT. lr, arguments: the values at the call, r0–r3.
 * Context: any code of the program, any handler. */
void nitro_enter(lines_word name, lines_word lr, const lines_word *arguments);
void nitro_exit(void);

#endif
