/* SPDX-License-Identifier: MIT
 *
 * Measures the cost of recording a call: by loops of calls through the program's hooks, into a ring without a reader. Inner is the
 * time between the two stamps of such a call; outer is the rest of the cost, borne by the caller. There are three loops:
 *
 *     empty     nothing between the events: each event waits for the clock reading of the event before
 *     work      about 200 instructions between the events: a processor executes these during the clock reading. The result is
 *               without the time of these instructions
 *     evicted   as empty, but at the start of the loop the recorder's code and the ring are in no cache
 */
#ifndef DWELL_LINUX_OVERHEAD_H
#define DWELL_LINUX_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"

/* Measures if the last measurement is old enough, and stores the result in the session. Does not measure while the recording is
 * off, or in a session that records arguments. Any thread, any signal; usually just reads the clock; a hundred times a second, in
 * one thread, it takes about ten microseconds. */
void overhead_measure(void) __attribute__((visibility("hidden")));

/* hooks.c and sites.c: give two functions to call like the program's hooks, with a function and a site. False:
 * there are none of this kind. */
typedef void overhead_hook(void *function, void *site);
bool hooks_get_pair(overhead_hook **enter, overhead_hook **exit) __attribute__((visibility("hidden")));
#ifdef PORT_PATCHES
bool sites_get_pair(overhead_hook **enter, overhead_hook **exit) __attribute__((visibility("hidden")));
#else
#define sites_get_pair(...) HOOKS_NONE(__VA_ARGS__) /* agent.h */
#endif

#endif
