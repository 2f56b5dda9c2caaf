/* SPDX-License-Identifier: MIT
 *
 * gprof, which a program gets that is also linked with -pg. Its sites call __fentry__ and nobody counts for gprof, so all that is left of
 * it is a timer signal a hundred times a second and an empty gmon.out in the end. A recorded program is spared both.
 */
#include "port/os/linux/agent.h"

static bool is_quiet(void)
{
	return agent.session && agent.hook_kinds & (DWELL_HOOKS_FENTRY | DWELL_HOOKS_ENTRIES);
}

typedef void start_fn(unsigned long low, unsigned long high);

#ifdef DWELL_LINKED_AGENT
extern void dwell_linked_gprof(start_fn *start, void (*end)(void)) __attribute__((weak));

void linked_settle_gprof(void)
{
	if (dwell_linked_gprof && !is_quiet())
		dwell_linked_gprof((start_fn *)unwind_find_real("__monstartup"), (void (*)(void))unwind_find_real("_mcleanup"));
}
#else
start_fn __monstartup;
__attribute__((visibility("default"))) void __monstartup(unsigned long low, unsigned long high)
{
	start_fn *real = is_quiet() ? 0 : (start_fn *)unwind_find_real("__monstartup");

	if (real)
		real(low, high);
}

void _mcleanup(void);
__attribute__((visibility("default"))) void _mcleanup(void)
{
	void (*real)(void) = is_quiet() ? 0 : (void (*)(void))unwind_find_real("_mcleanup");

	if (real)
		real();
}
#endif
