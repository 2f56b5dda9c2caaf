/* SPDX-License-Identifier: MIT
 *
 * Where the enter behind an unwind was called from, also when functions are inlined.
 *
 * The call site that the compiler hands to a hook is the return address of the code that the function ended up in. When it is inlined,
 * that is the call site of its host: taken for its own, the unwind would seem to have landed one function further out. Then the hook
 * itself was called from the host, so its own return address is what is wanted.
 *
 * Which of the two it is, is told by the code around the call: a function calls its own hook first. If the hook was called before, in
 * the same code, that was for the host. Where code begins is told by the index of the unwind tables (.eh_frame_hdr). To compare with the
 * function's own address would not do: compilers make copies of functions (.constprop, .isra) whose hooks still name the original.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/extents.h"

#define HOOK_CALL_BYTES 8 /* a function's hook is not called by its first instruction: there are arguments */

/* Without an index: how far into a function its hook is called at the most. A copy inlined elsewhere is hardly so near behind it. */
#define PROLOGUE_BYTES 96

/* Where the function whose code holds the address begins; 0 when the index does not know. */
static uint64_t find_start(uint64_t index, uint64_t index_bytes, uint64_t address)
{
	struct extents extents = extents_of(index, index_bytes);
	uint32_t i = extents_find(&extents, address);

	return i < extents.count ? extents_get(&extents, i).start : 0;
}

/* The hook's call that returns to hook_return is not the first in the code from start. */
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
		return site; /* a handler: no call at all */
	index = modules_get_unwind_index(hook_return, &bytes);
	start = index ? find_start(index, bytes, hook_return - 1) : 0;
	inlined = start ? is_later_call(start, hook_return) : hook_return - function >= PROLOGUE_BYTES;

	/* Inside the call, not behind it: a call that does not come back can be the last instruction of its function. Two bytes, since
	 * readers set bit 0 of what they look up. */
	return (inlined ? hook_return : site) - 2;
}
