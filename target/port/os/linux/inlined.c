/* SPDX-License-Identifier: MIT
 *
 * Finds the call site of an enter after an unwind, also if functions are inlined.
 *
 * The call site that the compiler passes to a hook is the return address of the code that contains the function. For an inlined
 * function, this address is the call site of its host: the unwind would seem to have landed one function further out. The host
 * itself has called the hook, so the hook's own return address is the right call site.
 *
 * The code before the call shows whether the function is inlined: a function calls its own hook first. If the same code calls
 * the hook earlier, that earlier call was the host's own. The index of the unwind tables (.eh_frame_hdr) shows where code
 * begins. The function's own address would not do: compilers make copies of functions (.constprop, .isra) whose hooks still pass
 * the address of the original.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/extents.h"

#define HOOK_CALL_BYTES 8 /* a function's first instruction is never the call of its hook: the arguments come first */

/* Without an index: maximum distance of the hook's call from the function's start. A copy inlined elsewhere is hardly so
 * close behind the function. */
#define PROLOGUE_BYTES 96

/* Returns the start of the function that holds the address; 0: not in the index. */
static uint64_t find_start(uint64_t index, uint64_t index_bytes, uint64_t address)
{
	struct extents extents = extents_of(index, index_bytes);
	uint32_t i = extents_find(&extents, address);

	return i < extents.count ? extents_get(&extents, i).start : 0;
}

/* Whether the code from start calls the hook earlier than the call that returns to hook_return. */
static bool is_later_call(uint64_t start, uint64_t hook_return)
{
	uint64_t target = port_call_target(hook_return);

	for (uint64_t at = start + HOOK_CALL_BYTES; target && at < hook_return; at += PORT_CODE_STEP)
		if (port_call_target(at) == target)
			return true;
	return false;
}

uint64_t inlined_call_site(uint64_t function, uint64_t site, uint64_t hook_return)
{
	uint64_t bytes, index, start;
	bool inlined;

	if (port_site_is_interrupt(site))
		return site; /* a signal handler: there is no call */
	index = modules_get_unwind_index(hook_return, &bytes);
	start = index ? find_start(index, bytes, hook_return - 1) : 0;
	inlined = start ? is_later_call(start, hook_return) : hook_return - function >= PROLOGUE_BYTES;

	/* An address inside the call, not behind it: a call that never returns can be the last instruction of its function. Minus
	 * two, since readers set bit 0 of the address. */
	return (inlined ? hook_return : site) - 2;
}
