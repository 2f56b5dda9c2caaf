/* SPDX-License-Identifier: MIT
 *
 * gprof's start-up in a program that the agent is linked into; see gprof.c. A member of libdwell.a of its own: a program that is linked
 * with -pg asks for it before it asks its C library. Weak, so that one that really counts for gprof (mcount, in a static program) has
 * its library's.
 *
 * It comes before the agent has started and knows whether it records, so it waits for that.
 */
#include <stdbool.h>

typedef void start_fn(unsigned long low, unsigned long high);

static unsigned long waiting_low, waiting_high;
static bool waits;
static void (*real_end)(void);

__attribute__((visibility("default"))) void dwell_linked_gprof(start_fn *start, void (*end)(void));

/* The agent has started. start, end: the C library's own; null where gprof is to be quiet, or is not there. */
void dwell_linked_gprof(start_fn *start, void (*end)(void))
{
	if (!waits || !start || !end)
		return;
	real_end = end;
	start(waiting_low, waiting_high);
}

start_fn __monstartup __attribute__((weak, visibility("default")));
void __monstartup(unsigned long low, unsigned long high)
{
	waiting_low = low;
	waiting_high = high;
	waits = true;
}

void _mcleanup(void) __attribute__((weak, visibility("default")));
void _mcleanup(void)
{
	if (real_end)
		real_end();
}
