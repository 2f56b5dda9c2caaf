/* jump_scan: finds the number of entries of a jump table: follows the index register back to a mask or a comparison. */
#include "plan/jump_scan.h"

#include "plan/operand.h"

#define COUNT_MAX (1u << 16)
#define STEPS_MAX 64u

/* Returns the only branch that leads to instruction i, if nothing else does; UINT32_MAX: none, or several. */
static uint32_t find_only_branch(const struct jump_scan *jump_scan, uint32_t i)
{
	uint32_t at = jump_scan->insns[i].at, found = UINT32_MAX;

	if (*plan_code_at(jump_scan->code, at) & BYTE_PINNED || plan_code_has_jump_to(jump_scan->code, at))
		return UINT32_MAX;
	for (uint32_t k = 0; k < jump_scan->count; k++)
		if (plan_insn_is_branch(&jump_scan->insns[k]) && jump_scan->insns[k].target == at) {
			if (found != UINT32_MAX)
				return UINT32_MAX;
			found = k;
		}
	return found;
}

/* Returns the instruction that always runs directly before instruction i; UINT32_MAX: not always the same instruction.
 * *is_taken: the found instruction is a branch to i, and the branch is taken. */
static uint32_t find_before(const struct jump_scan *jump_scan, uint32_t i, bool *is_taken)
{
	bool is_behind = i && !plan_insn_ends_flow(&jump_scan->insns[i - 1]);

	*is_taken = false;
	if (!(*plan_code_at(jump_scan->code, jump_scan->insns[i].at) & BYTE_TARGET))
		return is_behind ? i - 1 : UINT32_MAX;
	*is_taken = true;
	return is_behind ? UINT32_MAX : find_only_branch(jump_scan, i);
}

/* Returns the number of possible values of the register after branch i, if instruction i - 1 compares the register with a
 * constant. is_taken: the branch is taken. 0: no limit found. */
static uint32_t read_branch(const struct jump_scan *jump_scan, uint32_t i, bool is_taken, uint8_t reg)
{
	uint8_t condition = jump_scan->insns[i].condition ^ (is_taken ? 0 : 1);
	uint64_t value;

	if (jump_scan->insns[i].kind != INSN_BRANCH || (condition != 6 && condition != 2) || !i || /* 6: not above; 2: below */
		*plan_code_at(jump_scan->code, jump_scan->insns[i].at) & BYTE_TARGET ||
		!plan_compare_read(jump_scan->code->image, &jump_scan->insns[i - 1], reg, &value) || value >= COUNT_MAX)
		return 0;
	return (uint32_t)value + (condition == 6);
}

uint32_t plan_find_table_length(const struct jump_scan *jump_scan, uint32_t i, uint8_t reg)
{
	bool is_taken;

	for (unsigned steps = 0; reg < PLAN_NO_REGISTER && steps < STEPS_MAX; steps++) {
		uint64_t most;
		uint32_t count;

		i = find_before(jump_scan, i, &is_taken);
		if (i == UINT32_MAX)
			return 0;
		count = read_branch(jump_scan, i, is_taken, reg);
		if (count)
			return count;
		switch (plan_index_read(jump_scan->code->image, &jump_scan->insns[i], reg, &reg, &most)) {
		case INDEX_UNKNOWN:
			return 0;
		case INDEX_MASKED:
			return (uint32_t)most + 1;
		default:
			break;
		}
	}
	return 0;
}
