/* SPDX-License-Identifier: MIT
 *
 * Finds the function that a piece of code belongs to, by the code's own hooks: the code calls the enter hook first and passes the
 * function's address. A copy of a function (.constprop, .isra) passes the address of the original. The agent needs this to find
 * where an unwind lands (port/os/linux/landing.c).
 */
#include "port/cpu/x86_64/code.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/extents.h"
#include "port/os/linux/system.h"

/* Maximum distance of the hook's call from the function's start. */
#define PROLOGUE_BYTES 512u
#define ARGUMENTS_BYTES 64u /* distance of the hook's arguments from the call */
#define PAD_BYTES 32u /* size of a landing pad, up to a jump to the rest of it */

static int32_t get_s32(uint64_t at)
{
	int32_t value;

	__builtin_memcpy(&value, (const void *)at, sizeof value);
	return value;
}

/* Returns where a call ends up, followed through an entry of the PLT. Outside the module's functions a system call reads the
 * memory, which may be missing. */
static uint64_t follow_plt(const struct extents *extents, uint64_t to)
{
	uint8_t code[12];
	unsigned at;
	uint64_t word;

	if (extents_find(extents, to) < extents->count)
		__builtin_memcpy(code, (const void *)to, sizeof code);
	else if (system_process_vm(__NR_process_vm_readv, system_pid(), code, to, sizeof code) != sizeof code)
		return to;
	at = code_mark_bytes((uint64_t)code);
	if (code[at] == 0xf2)
		at++;
	if (code[at] == 0xe9)
		return code_relative(to + at + 1);
	if (code[at] != 0xff || code[at + 1] != 0x25)
		return to;
	if (system_process_vm(__NR_process_vm_readv, system_pid(), &word, code_relative(to + at + 2), sizeof word) != sizeof word)
		return to;
	return word;
}

/* Returns the address loaded by the instruction at code (lea or mov relative to the instruction pointer, mov
 * of a constant); 0: none. */
static uint64_t loaded_address(uint64_t code)
{
	const uint8_t *p = (const uint8_t *)code;
	uint64_t word = 0;

	if ((p[0] & 0xfb) == 0x48 && p[1] == 0x8d && (p[2] & 0xc7) == 5)
		return code_relative(code + 3);
	if ((p[0] & 0xfb) == 0x48 && p[1] == 0x8b && (p[2] & 0xc7) == 5 &&
		system_process_vm(__NR_process_vm_readv, system_pid(), &word, code_relative(code + 3), sizeof word) == sizeof word)
		return word;
	return (p[0] & 0xf8) == 0xb8 ? (uint32_t)get_s32(code + 1) : 0;
}

enum modules_hooked hooks_find_place(const struct extents *extents, uint64_t start, uint64_t end, uint64_t hook, uint64_t *place)
{
	uint64_t call, word, last = end < start + PROLOGUE_BYTES ? end : start + PROLOGUE_BYTES, first;

	for (call = start; call + 6 <= last; call++) {
		const uint8_t *code = (const uint8_t *)call;

		if (code[0] == 0xe8 && (code_relative(call + 1) == hook || follow_plt(extents, code_relative(call + 1)) == hook))
			break;
		/* A call through a word: compiled without a PLT and not patched. */
		if (code[0] == 0xff && code[1] == 0x15 &&
			system_process_vm(__NR_process_vm_readv, system_pid(), &word, code_relative(call + 2), sizeof word) ==
				sizeof word &&
			word == hook)
			break;
	}
	if (call + 6 > last)
		return MODULES_NOT_HOOKED;
	first = call - start > ARGUMENTS_BYTES ? call - ARGUMENTS_BYTES : start;
	*place = 0;
	for (uint64_t at = call; at-- > first;) {
		uint64_t address = at + 5 <= call ? loaded_address(at) : 0;

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

/* Whether a function's first instruction is a direct jump, such as a plan writes. */
static bool is_jump(uint64_t address)
{
	const uint8_t *code = (const uint8_t *)address;

	return code[code_mark_bytes((uint64_t)code)] == 0xe9;
}

uint64_t hooks_find_jump(const struct extents *extents, uint64_t pc)
{
	uint32_t here = extents_find(extents, pc), to;

	for (uint64_t at = pc; here < extents->count && at + 5 <= extents_get(extents, here).end && at < pc + PAD_BYTES; at++) {
		const uint8_t *code = (const uint8_t *)at;

		if (code[0] != 0xe9 && !(code[0] == 0x0f && (code[1] & 0xf0) == 0x80))
			continue;
		to = extents_find(extents, code_relative(at + (code[0] == 0xe9 ? 1 : 2)));
		if (to < extents->count && to != here)
			return extents_get(extents, to).start;
	}
	return 0;
}

bool hooks_find_whole(const struct extents *extents, uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start,
	uint64_t *whole_end)
{
	bool is_called = return_address && *(const uint8_t *)(return_address - 5) == 0xe8;
	uint64_t to = 0, called = is_called ? code_relative(return_address - 4) : 0;
	uint32_t i;

	/* A frame of this code is live. If the call went to this code, the code is a whole function: assembly that
	 * starts with a finished frame. */
	if (called >= start && called < end) {
		*whole_start = start;
		*whole_end = end;
		return true;
	}
	/* Otherwise the code may be a part that jumps back into the middle of its function. */
	for (uint64_t at = start; at + 6 <= end; at++) {
		const uint8_t *code = (const uint8_t *)at;

		if (code[0] == 0xe9)
			to = code_relative(at + 1);
		else if (code[0] == 0x0f && (code[1] & 0xf0) == 0x80)
			to = code_relative(at + 2);
		else
			continue;
		i = extents_find(extents, to);
		if (i == extents->count || extents_get(extents, i).start == to || extents_get(extents, i).start == start ||
			follow_plt(extents, to) != to /* the PLT */)
			continue;
		*whole_start = extents_get(extents, i).start;
		*whole_end = extents_get(extents, i).end;
		return true;
	}
	/* Without a jump back, the whole function is the one called by the caller. */
	if (!is_called)
		return false;
	to = follow_plt(extents, called);
	/* A plan has changed the called function: the jump leads into the plan's code, which is no function. */
	if (extents_find(extents, to) == extents->count && extents_find(extents, called) < extents->count && is_jump(called))
		to = called;
	i = extents_find(extents, to);
	if (i == extents->count || extents_get(extents, i).start != to)
		return false;
	*whole_start = to;
	*whole_end = extents_get(extents, i).end;
	return true;
}
