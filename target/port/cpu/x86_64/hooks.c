/* SPDX-License-Identifier: MIT
 *
 * x86-64: places copies of the stubs within reach of each module with hooks, and turns the module's calls into direct
 * jumps to them; see stub.S.
 *
 * A call through the PLT is an indirect jump. If the processor does not predict it, it costs more than the whole hook. So the PLT
 * entry itself is rewritten into a direct jump, for which the stub must lie within 2 GiB.
 */
#include "port/cpu/x86_64/stubs.h"
#include "port/os/linux/overhead.h"
#include "port/os/linux/system.h"

/* Targets of the exported entries. */
void *dwell_enter_target HIDDEN = agent_enter_unknown;
void *dwell_exit_target HIDDEN = agent_exit_unknown;

bool hooks_may_be_tags(uint64_t low, uint64_t high)
{
	return (uint32_t)low < DWELL_TAG_LIMIT || (low >> 32) != ((high - 1) >> 32);
}

struct hook_targets hooks_make_targets(uint64_t low, uint64_t high, bool window)
{
	struct stubs stubs;

	if (window || hooks_may_be_tags(low, high))
		return (struct hook_targets){agent_enter_window, agent_exit_window};
	/* A module without stubs of its own uses another module's, through the GOT alone. */
	if (!stubs_make(low, high, 0, &stubs) || !stubs_seal(&stubs))
		stubs = stubs_general();
	return stubs.page ? (struct hook_targets){stubs.enter, stubs.exit} : (struct hook_targets){agent_enter, agent_exit};
}

bool hooks_get_pair(overhead_hook **enter, overhead_hook **exit)
{
	struct stubs stubs = stubs_general();

	*enter = (overhead_hook *)stubs.enter;
	*exit = (overhead_hook *)stubs.exit;
	return stubs.page && agent.hook_kinds & DWELL_HOOKS_CYG;
}

/* Makes the instruction at code, six bytes that go through got, a direct one. A PLT entry is a jump (ff 25); code that was compiled
 * without a PLT calls or jumps through the word itself (ff 15, ff 25). */
static bool patch_one(uint8_t *code, void *const *got, const void *target)
{
	uint64_t page = (uint64_t)code & ~(PAGE - 1), pages_bytes = (((uint64_t)code + 5) & ~(PAGE - 1)) - page + PAGE;
	int64_t displacement;
	int32_t to_got = (int32_t)((uint32_t)code[2] | (uint32_t)code[3] << 8 | (uint32_t)code[4] << 16 | (uint32_t)code[5] << 24);
	bool call = code[1] == 0x15;

	if ((uint64_t)code + 6 + (uint64_t)(int64_t)to_got != (uint64_t)got)
		return false;
	/* A prefix without effect keeps the length of a call, and so its return address; a jump is padded with a nop. */
	displacement = (int64_t)((uint64_t)target - (uint64_t)code) - (call ? 6 : 5);
	if (displacement != (int32_t)displacement || system_mprotect((void *)page, pages_bytes, 3) < 0)
		return false;
	if (call) {
		code[0] = 0x67;
		code[1] = 0xe8;
		put32(code + 2, (uint32_t)displacement);
	} else {
		code[0] = 0xe9;
		put32(code + 1, (uint32_t)displacement);
		code[5] = 0x90;
	}
	system_mprotect((void *)page, pages_bytes, 5);
	return true;
}

unsigned hooks_patch_code(uint64_t begin, uint64_t end, void *const *got, const void *target)
{
	unsigned patched = 0;

	for (uint8_t *code = (uint8_t *)begin; (uint64_t)code + 6 <= end; code++)
		if (code[0] == 0xff && (code[1] == 0x25 || code[1] == 0x15) && patch_one(code, got, target))
			patched++;
	return patched;
}

static void patch_export(void *entry, const void *target)
{
	uint8_t *code = entry;
	uint64_t page = (uint64_t)code & ~(PAGE - 1);
	int64_t displacement = (int64_t)((uint64_t)target - (uint64_t)code) - 5;

	/* This code itself may lie in the same page, which must stay executable. */
	if (displacement != (int32_t)displacement || system_mprotect((void *)page, PAGE, 7) < 0)
		return;
	code[0] = 0xe9;
	put32(code + 1, (uint32_t)displacement);
	system_mprotect((void *)page, PAGE, 5);
}

void hooks_adopt_own(void)
{
#ifdef DWELL_LINKED_AGENT
	uint64_t entry = (uint64_t)&dwell_own_enter;
	struct hook_targets targets = hooks_make_targets(entry & ~(PAGE - 1), (entry & ~(PAGE - 1)) + PAGE, false);

	dwell_enter_target = targets.enter;
	dwell_exit_target = targets.exit;
	patch_export((void *)&dwell_own_enter, targets.enter);
	patch_export((void *)&dwell_own_exit, targets.exit);
#else
	(void)patch_export;
#endif
	/* The entries themselves can return: if the gate were at the jump's target, an indirect jump would
	 * remain, which is what costs. */
	control_add_gate((void *)&dwell_own_enter, *(const uint8_t *)&dwell_own_enter, CODE_RET);
	control_add_gate((void *)&dwell_own_exit, *(const uint8_t *)&dwell_own_exit, CODE_RET);
	control_add_gate((void *)&dwell_own_fentry, *(const uint8_t *)&dwell_own_fentry, CODE_RET);
}
