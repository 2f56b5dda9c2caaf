/* SPDX-License-Identifier: MIT
 *
 * Which function a piece of code is by its own hooks: it calls the enter hook before anything else, and what it gives to it is its address.
 * A copy of a function (.constprop, .isra) gives that of the original.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/extents.h"
#include "port/os/linux/system.h"

/* How far into a function its hook is called at the most. */
#define PROLOGUE_BYTES 512u
#define ARGUMENTS_BYTES 64u /* in front of the call */

static int32_t get_s32(uint64_t at)
{
	int32_t value;

	__builtin_memcpy(&value, (const void *)at, sizeof value);
	return value;
}

static uint64_t behind(uint64_t at)
{
	return at + 4 + (uint64_t)(int64_t)get_s32(at);
}

/* Bytes of endbr64, which may stand before the first instruction. */
static unsigned mark_bytes(const uint8_t *code)
{
	return code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa ? 4 : 0;
}

/* Where a call goes to, through an entry of the PLT, too. Reads what may not be there by a system call. */
static uint64_t destination(const struct extents *extents, uint64_t to)
{
	uint8_t code[12];
	unsigned at;
	uint64_t word;

	if (extents_find(extents, to) < extents->count)
		__builtin_memcpy(code, (const void *)to, sizeof code);
	else if (system_process_vm(__NR_process_vm_readv, system_pid(), code, to, sizeof code) != sizeof code)
		return to;
	at = mark_bytes(code);
	if (code[at] == 0xf2)
		at++;
	if (code[at] == 0xe9)
		return behind(to + at + 1);
	if (code[at] != 0xff || code[at + 1] != 0x25)
		return to;
	if (system_process_vm(__NR_process_vm_readv, system_pid(), &word, behind(to + at + 2), sizeof word) != sizeof word)
		return to;
	return word;
}

/* What is loaded by the instruction at code, if it is an address: lea or mov from where it stands, mov of a number; else 0. */
static uint64_t loaded(uint64_t code)
{
	const uint8_t *p = (const uint8_t *)code;
	uint64_t word = 0;

	if ((p[0] & 0xfb) == 0x48 && p[1] == 0x8d && (p[2] & 0xc7) == 5)
		return behind(code + 3);
	if ((p[0] & 0xfb) == 0x48 && p[1] == 0x8b && (p[2] & 0xc7) == 5 &&
		system_process_vm(__NR_process_vm_readv, system_pid(), &word, behind(code + 3), sizeof word) == sizeof word)
		return word;
	return (p[0] & 0xf8) == 0xb8 ? (uint32_t)get_s32(code + 1) : 0;
}

enum modules_hooked hooks_find_place(const struct extents *extents, uint64_t start, uint64_t end, uint64_t hook, uint64_t *place)
{
	uint64_t call, word, last = end < start + PROLOGUE_BYTES ? end : start + PROLOGUE_BYTES, first;

	for (call = start; call + 6 <= last; call++) {
		const uint8_t *code = (const uint8_t *)call;

		if (code[0] == 0xe8 && (behind(call + 1) == hook || destination(extents, behind(call + 1)) == hook))
			break;
		/* Through a word, where it was compiled without a PLT and not patched. */
		if (code[0] == 0xff && code[1] == 0x15 &&
			system_process_vm(__NR_process_vm_readv, system_pid(), &word, behind(call + 2), sizeof word) == sizeof word &&
			word == hook)
			break;
	}
	if (call + 6 > last)
		return MODULES_NOT_HOOKED;
	first = call - start > ARGUMENTS_BYTES ? call - ARGUMENTS_BYTES : start;
	*place = 0;
	for (uint64_t at = call; at-- > first;) {
		uint64_t address = at + 5 <= call ? loaded(at) : 0;

		if (address == start) {
			*place = start;
			return MODULES_HOOKED;
		}
		if (!*place && address) {
			uint32_t i = extents_find(extents, address);

			if (i < extents->count && extents_get(extents, i).start == address)
				*place = address;
		}
	}
	return *place ? MODULES_PERHAPS_HOOKED : MODULES_NOT_HOOKED;
}

/* Whether a function's first instruction is a direct jump, as where a plan changed it. */
static bool is_jump(uint64_t address)
{
	const uint8_t *code = (const uint8_t *)address;

	return code[mark_bytes(code)] == 0xe9;
}

bool hooks_find_whole(
	const struct extents *extents, uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start, uint64_t *whole_end)
{
	uint64_t to = 0, called;
	uint32_t i;

	/* It jumps back into the middle of it. */
	for (uint64_t at = start; at + 6 <= end; at++) {
		const uint8_t *code = (const uint8_t *)at;

		if (code[0] == 0xe9)
			to = behind(at + 1);
		else if (code[0] == 0x0f && (code[1] & 0xf0) == 0x80)
			to = behind(at + 2);
		else
			continue;
		i = extents_find(extents, to);
		if (i == extents->count || extents_get(extents, i).start == to || extents_get(extents, i).start == start ||
			destination(extents, to) != to /* the PLT */)
			continue;
		*whole_start = extents_get(extents, i).start;
		*whole_end = extents_get(extents, i).end;
		return true;
	}
	/* Or it does not; then it is the function that was called, from code that is there: a frame of it is live. */
	if (!return_address || *(const uint8_t *)(return_address - 5) != 0xe8)
		return false;
	called = behind(return_address - 4);
	to = destination(extents, called);
	/* What was called was changed by a plan: it leads into the plan's code, where no function is. */
	if (extents_find(extents, to) == extents->count && extents_find(extents, called) < extents->count && is_jump(called))
		to = called;
	i = extents_find(extents, to);
	if (i == extents->count || extents_get(extents, i).start != to)
		return false;
	*whole_start = to;
	*whole_end = extents_get(extents, i).end;
	return true;
}
