/* SPDX-License-Identifier: MIT
 *
 * Files that are loaded while the program runs and have hooks that call nobody (nops, sleds): nothing tells of them but the loader.
 *
 * It calls an empty function after each change, for debuggers to stop at, whose address the program's dynamic section leads to (DT_DEBUG).
 * A jump is written there. To interpose dlopen would be no good: it looks for libraries on behalf of whoever called it, and would take
 * that for the agent; nor does it see what comes by other ways. The call comes before constructors run, and before relocations are done.
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
	return 1; /* the program comes first */
}

static void changed(void)
{
	if (debug->r_state == RT_CONSISTENT)
		modules_changed();
}

void loader_watch(void)
{
	next_list_files(find_debug, 0);
	if (debug && debug->r_version >= 1 && debug->r_brk)
		hooks_watch(debug->r_brk, changed);
}
