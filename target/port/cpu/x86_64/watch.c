/* SPDX-License-Identifier: MIT
 *
 * Makes an empty function of the dynamic linker call the agent, by a jump over its return: the linker calls this function when it
 * has loaded or unloaded a file (port/os/linux/loader.c).
 */
#include "port/cpu/x86_64/code.h"
#include "port/cpu/x86_64/stubs.h"
#include "port/os/linux/changes.h"
#include "port/os/linux/system.h"

#define JUMP_BYTES 5

/* Whether these are bytes with which compilers and assemblers fill the gap behind a function. */
static bool is_filler(const uint8_t *code, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		if (code[i] != 0x90 && code[i] != 0xcc && code[i] != 0x66 && code[i] != 0x2e && code[i] != 0x0f &&
			code[i] != 0x1f && code[i] != 0x84 && code[i] != 0x80 && code[i] != 0x44 && code[i] != 0x40 && code[i] != 0)
			return false;
	return true;
}

/* Lists the jump as a change that record writes while it has stopped all threads (changes.h): running threads may need the page. */
static void add_change(const uint8_t *code, const uint8_t jump[JUMP_BYTES])
{
	struct dwell_changes *changes = changes_make((uint64_t)code, 1);

	if (!changes)
		return;
	changes_add(changes, code, code, jump, JUMP_BYTES, 0, 0);
	changes_publish(changes);
}

void hooks_watch(uint64_t function, void (*then)(void))
{
	uint8_t *code = (uint8_t *)function, jump[JUMP_BYTES] = {0xe9};
	uint64_t page, bytes;
	struct stubs stubs;

	code += code_mark_bytes(function);
	if (code[0] != CODE_RET || !is_filler(code + 1, JUMP_BYTES - 1))
		return;
	page = (uint64_t)code & ~(PAGE - 1);
	bytes = (((uint64_t)code + JUMP_BYTES - 1) & ~(PAGE - 1)) - page + PAGE;
	if (!stubs_make(page, page + bytes, PAGE, &stubs))
		return;
	stubs.thunks[0] = 0xff; /* jmp *(%rip) */
	stubs.thunks[1] = 0x25;
	put32(stubs.thunks + 2, 0);
	put32(stubs.thunks + 6, (uint32_t)(uint64_t)then);
	put32(stubs.thunks + 10, (uint32_t)((uint64_t)then >> 32));
	put32(jump + 1, (uint32_t)((uint64_t)stubs.thunks - (uint64_t)(code + JUMP_BYTES)));
	if (!stubs_seal(&stubs))
		return;
	if (agent.is_injected) {
		add_change(code, jump);
		return;
	}
	/* The agent makes its own system calls, so it needs nothing else of the page, which is not executable for a moment. */
	if (system_mprotect((void *)page, bytes, 3) < 0)
		return;
	for (unsigned i = 0; i < JUMP_BYTES; i++)
		code[i] = jump[i];
	system_mprotect((void *)page, bytes, 5);
}
