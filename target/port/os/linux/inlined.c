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

/* The usual form of the index: version 1, then how its parts are encoded. */
#define INDEX_FORM 0x3b031b01u /* table: 4 bytes from the index; count: 4 bytes; pointer to .eh_frame: 4 bytes */
#define INDEX_HEADER_BYTES 12
#define ENTRY_BYTES 8

#define HOOK_CALL_BYTES 8 /* a function's hook is not called by its first instruction: there are arguments */

/* Without an index: how far into a function its hook is called at the most. A copy inlined elsewhere is hardly so near behind it. */
#define PROLOGUE_BYTES 96

static int32_t get_s32(uint64_t address)
{
	int32_t value;

	__builtin_memcpy(&value, (const void *)address, sizeof value);
	return value;
}

/* Where the function whose code holds the address begins; 0 when the index does not know. */
static uint64_t find_start(uint64_t index, uint64_t index_bytes, uint64_t address)
{
	uint64_t count, low = 0, high, start, description;

	if (index_bytes < INDEX_HEADER_BYTES || (uint32_t)get_s32(index) != INDEX_FORM)
		return 0;
	count = (uint32_t)get_s32(index + 8);
	if (count > (index_bytes - INDEX_HEADER_BYTES) / ENTRY_BYTES)
		return 0;
	for (high = count; low < high;) { /* entry low - 1 begins at or below the address; entry high does not */
		uint64_t middle = low + (high - low) / 2;

		if (index + (uint64_t)(int64_t)get_s32(index + INDEX_HEADER_BYTES + middle * ENTRY_BYTES) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	start = index + (uint64_t)(int64_t)get_s32(index + INDEX_HEADER_BYTES + (low - 1) * ENTRY_BYTES);
	description = index + (uint64_t)(int64_t)get_s32(index + INDEX_HEADER_BYTES + (low - 1) * ENTRY_BYTES + 4);
	/* length, CIE, start, then the bytes of code */
	return address - start < (uint32_t)get_s32(description + 12) ? start : 0;
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
