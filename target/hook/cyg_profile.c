/* SPDX-License-Identifier: MIT
 *
 * The hooks of -finstrument-functions (GCC and Clang): enter and exit, with the function and its call site. For machines without an
 * operating system that loads modules; Linux has its own hooks (port/cpu/x86_64/stub.S, port/os/linux/linked/hooks_plain.c).
 */
#include "recorder/trace.h"

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

/* Context: any thread, any interrupt. */
void __cyg_profile_func_enter(void *function, void *site)
{
	dwell_trace(port_thread(), function, site, DWELL_ENTER);
}

void __cyg_profile_func_exit(void *function, void *site)
{
	dwell_trace(port_thread(), function, site, DWELL_EXIT);
}
