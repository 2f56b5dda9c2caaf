/* SPDX-License-Identifier: MIT
 *
 * Notices files loaded while the program runs. Hooks that call no function (nops, sleds) give no sign, so the agent depends on
 * the loader for such files.
 *
 * Before and after each change the loader calls an empty function, at which debuggers stop; the program's dynamic section leads to
 * this function's address (DT_DEBUG). The agent writes a jump into the function. Interposing dlopen would not do: dlopen searches
 * libraries on behalf of its caller, which would then be the agent; and programs load files in other ways, too. The call after the
 * change comes before constructors run, and before relocations are done.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/namespaces.h"

/* The linker calls this function before and after it changes its list of files; only after the change is the list consistent. */
static void on_loader_change(void)
{
	if (!namespaces_are_consistent())
		return;
	namespaces_bind_hooks();
	modules_changed();
}

void loader_watch(void)
{
	const struct r_debug *debug = namespaces_debug();

	if (debug && debug->r_version >= 1 && debug->r_brk)
		hooks_watch(debug->r_brk, on_loader_change);
}
