/* SPDX-License-Identifier: MIT
 *
 * Counts the direct calls of functions that unwind (longjmp, _Unwind_SetIP, vfork …) in a static program linked without --wrap: no
 * wrapper can intercept them. The addresses of the functions are known, so their calls can be counted, and dwell reports the
 * number.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"

extern char longjmp[] __attribute__((weak)), _longjmp[] __attribute__((weak)), siglongjmp[] __attribute__((weak)),
	__longjmp_chk[] __attribute__((weak)), _Unwind_SetIP[] __attribute__((weak)), vfork[] __attribute__((weak));
/* C's own personality routine only lands in cleanups, for exceptions of other languages or the end of a thread. libc.a brings it
 * into every program. It has one call of _Unwind_SetIP, which hides no unwind. */
extern char __gcc_personality_v0[] __attribute__((weak));

static const char *const unwinders[] = {longjmp, _longjmp, siglongjmp, __longjmp_chk, _Unwind_SetIP, vfork};
#define UNWINDER_COUNT (sizeof unwinders / sizeof *unwinders)
#define CALL_BYTES_MAX 8

static bool is_unwinder(uint64_t target)
{
	for (unsigned i = 0; target && i < UNWINDER_COUNT; i++)
		if (target == (uint64_t)unwinders[i])
			return true;
	return false;
}

static uint64_t count_calls(uint64_t begin, uint64_t end)
{
	uint64_t count = 0, of_c = (uint64_t)__gcc_personality_v0;

	for (uint64_t at = begin + CALL_BYTES_MAX; at + CALL_BYTES_MAX <= end; at += PORT_CODE_STEP) {
		uint64_t target = port_call_target(at);

		if (of_c && at > of_c && target && target == (uint64_t)_Unwind_SetIP)
			of_c = 0;
		else
			count += is_unwinder(target);
	}
	return count;
}

static int count_in_program(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t count = 0;

	(void)size;
	(void)data;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = info->dlpi_phdr + i;
		uint64_t begin = info->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_INTERP) /* has a dynamic linker: see linked_slots.c */
			return 1;
		if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
			count += count_calls(begin, begin + header->p_filesz);
	}
	agent.unseen = count;
	return 1; /* stop: the program comes first */
}

void linked_find_unseen(void)
{
	bool any = false;

	for (unsigned i = 0; i < UNWINDER_COUNT; i++)
		any |= unwinders[i] != 0;
	if (!any || linked_find_real("longjmp"))
		return;
	next_list_files(count_in_program, 0);
	if (agent.session)
		__atomic_fetch_add(&agent.session->unseen, agent.unseen, __ATOMIC_RELAXED);
}
