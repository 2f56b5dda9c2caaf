/* SPDX-License-Identifier: MIT
 *
 * Definitions that the ports for GCC and Clang share. The linker scripts
 * of these compilers know the section names: .bss.NAME is not loaded. */
#ifndef DWELL_CLASSIC_PORT_C6000_GNU_H
#define DWELL_CLASSIC_PORT_C6000_GNU_H

#include <stdint.h>

#define HOOK_INLINE static inline __attribute__((always_inline, no_instrument_function))
#define HOOK_CODE(group) __attribute__((noinline, used, no_instrument_function, section(".text." #group)))
#ifndef HOOK_BUFFER_SECTION
#define HOOK_BUFFER_SECTION ".bss.External_NonCache_Data"
#endif
#define HOOK_BUFFER __attribute__((section(HOOK_BUFFER_SECTION), aligned(8)))
#define HOOK_RETURN_ADDRESS() __builtin_return_address(0)
#define HOOK_ALIAS(name) __attribute__((alias(#name)))
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias" /* __cyg_profile_func_… have one argument more than the hooks */
#endif
HOOK_INLINE void hook_port_barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

#ifndef HOOK_PORT_CLAIMS
#include "classic/target/port/c6000/masked.h"
#endif

#endif
