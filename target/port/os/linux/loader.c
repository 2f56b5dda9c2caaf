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
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"

static const struct r_debug *debug;

static int find_debug(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Dyn) *dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);

		if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		for (; dynamic->d_tag != DT_NULL; dynamic++)
			if (dynamic->d_tag == DT_DEBUG)
				debug = (const struct r_debug *)dynamic->d_un.d_ptr;
	}
	return 1; /* stop: the program comes first */
}

/* The linker calls this function before and after it changes its list of files; only after the change is the list consistent. */
static void on_loader_change(void)
{
	if (debug->r_state == RT_CONSISTENT)
		modules_changed();
}

void loader_watch(void)
{
	uint64_t call_mask = agent_begin_libc_call();

	next_list_files(find_debug, 0);
	agent_end_libc_call(call_mask);
	if (debug && debug->r_version >= 1 && debug->r_brk)
		hooks_watch(debug->r_brk, on_loader_change);
}
