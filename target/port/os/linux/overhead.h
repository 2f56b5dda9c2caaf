/* SPDX-License-Identifier: MIT
 *
 * What recording a call costs, measured: a row of calls that nothing is in, through the hooks that the program's calls take, into a ring
 * that nobody reads. Inner is what lies between the two stamps of such a call, outer the rest of what it takes: its caller's.
 */
#ifndef DWELL_LINUX_OVERHEAD_H
#define DWELL_LINUX_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"

/* Measures, if it was not done for a while, and says so in the session. Any thread, any signal; a look at the clock; every tenth of a
 * second, in one thread, some microseconds. */
void overhead_look(void) __attribute__((visibility("hidden")));

/* hooks.c and sites.c: how the program's calls arrive, to be called as two functions of a function and a site. False: not this way. */
typedef void overhead_hook(void *function, void *site);
bool hooks_get_pair(overhead_hook **enter, overhead_hook **exit) __attribute__((visibility("hidden")));
#ifdef PORT_PATCHES
bool sites_get_pair(overhead_hook **enter, overhead_hook **exit) __attribute__((visibility("hidden")));
#else
#define sites_get_pair(...) HOOKS_NONE(__VA_ARGS__) /* agent.h */
#endif

#endif
