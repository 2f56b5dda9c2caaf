/* leave: finds functions that jump out of callers (leave.h). */
#include "plan/leave.h"

#include "plan/all_cores.h"
#include "plan/frame.h"
#include "plan/operand.h"
#include "plan/jump_targets.h"

enum { REGISTER_SP = 4, REGISTER_BP = 5, DWARF_BP = 6 };

/* What the code of one entry (a function, or a part of one) does with addresses in its own stack frame. */
struct own_stack {
	uint32_t registers; /* a bit for each register to which the code gives an address in that frame */
	bool is_saved; /* the code stores the stack pointer in memory */
};

static struct own_stack find_own_stack(const struct plan_code *code, const struct plan_entry *entry)
{
	struct own_stack own_stack = {0};
	struct plan_insn insn;

	for (uint32_t at = entry->low; at < entry->high && plan_insn_read(code->image, at, entry->high, &insn); at += insn.length) {
		if (insn.stack == STACK_COPIED)
			own_stack.registers |= 1u << insn.stack_copy;
		own_stack.is_saved |= insn.stack == STACK_SAVED;
	}
	return own_stack;
}

/* Returns whether the instruction, which loads the stack pointer, may load an address outside the entry's own stack frame. */
static bool is_foreign_stack(const struct plan_code *code, const struct plan_entry *entry, const struct plan_insn *insn,
	const struct own_stack *own_stack)
{
	struct plan_def def;
	struct rule rule;

	plan_def_read(code->image, insn, REGISTER_SP, &def);
	if (def.kind == DEF_COPY)
		return def.source != REGISTER_BP && !(own_stack->registers >> def.source & 1);
	if (def.kind != DEF_LOAD_8)
		return true;
	if (def.base == REGISTER_BP)
		return !plan_frame_at(code, entry, insn->at, &rule) || rule.cfa_kind != CFA_REGISTER ||
		       rule.cfa_register != DWARF_BP;
	return def.base != REGISTER_SP && (def.base == PLAN_NO_REGISTER || !(own_stack->registers >> def.base & 1));
}

static bool entry_leaves_callers(const struct plan_code *code, const struct plan_entry *entry)
{
	struct own_stack own_stack = {0};
	bool is_loaded = false, has_own_stack = false;
	struct plan_insn insn;

	for (uint32_t at = entry->low; at < entry->high && plan_insn_read(code->image, at, entry->high, &insn); at += insn.length) {
		if (insn.stack == STACK_LOADED) {
			if (!has_own_stack)
				own_stack = find_own_stack(code, entry);
			has_own_stack = true;
			is_loaded = is_foreign_stack(code, entry, &insn, &own_stack);
		}
		if (is_loaded && insn.kind == INSN_RETURN && !own_stack.is_saved)
			return true;
		if (is_loaded && insn.kind == INSN_JUMP_INDIRECT && plan_jump_kind(code, insn.at) != JUMP_TABLE)
			return true;
		if (insn.stack == STACK_COMPUTED || plan_insn_ends_flow(&insn) || insn.kind == INSN_CALL ||
			insn.kind == INSN_CALL_INDIRECT)
			is_loaded = false;
	}
	return false;
}

static bool examine_entries(void *context, size_t first, size_t end)
{
	struct plan_code *code = context;

	for (size_t i = first; i < end; i++)
		code->entries[i].leaves_callers = entry_leaves_callers(code, &code->entries[i]);
	return true;
}

void plan_leave_find(struct plan_code *code)
{
	all_cores_run(examine_entries, code, code->count);
}

bool plan_leaves_callers(const struct plan_code *code, const struct plan_entry *entry)
{
	const struct plan_entry *part = &code->entries[code->entries[entry->group].group];

	for (;; part = &code->entries[part->next]) {
		if (part->leaves_callers)
			return true;
		if (part->next == UINT32_MAX)
			return false;
	}
}
