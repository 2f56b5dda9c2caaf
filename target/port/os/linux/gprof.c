/* SPDX-License-Identifier: MIT
 *
 * gprof, which a program gets that is also linked with -pg. Its sites call __fentry__ and nobody counts for gprof, so all that is left of
 * it is a timer signal a hundred times a second and an empty gmon.out in the end. A recorded program is spared both.
 */
#include "port/os/linux/agent.h"

void __monstartup(unsigned long low, unsigned long high);
__attribute__((visibility("default"))) void __monstartup(unsigned long low, unsigned long high)
{
	void (*real)(unsigned long, unsigned long) = 0;

	if (!(agent.session && agent.hook_kinds & (DWELL_HOOKS_FENTRY | DWELL_HOOKS_ENTRIES)))
		real = (void (*)(unsigned long, unsigned long))unwind_find_real("__monstartup");
	if (real)
		real(low, high);
}

void _mcleanup(void);
__attribute__((visibility("default"))) void _mcleanup(void)
{
	void (*real)(void) = 0;

	if (!(agent.session && agent.hook_kinds & (DWELL_HOOKS_FENTRY | DWELL_HOOKS_ENTRIES)))
		real = (void (*)(void))unwind_find_real("_mcleanup");
	if (real)
		real();
}
