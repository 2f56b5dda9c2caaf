/* work: reads one function for planning (work.h). */
#include "plan/work.h"

#include <stdlib.h>

#include "plan/frame.h"
#include "plan/jump_targets.h"
#include "util/array.h"

static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

uint32_t plan_work_find(const struct plan_work *work, uint32_t at)
{
	size_t low = 0, high = work->insn_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (work->insns[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < work->insn_count && work->insns[low].at == at ? (uint32_t)low : WORK_NONE;
}

static bool add_insn(struct plan_work *work, const struct plan_insn *insn)
{
	size_t old = work->side_capacity, capacity = work->side_capacity;

	if (!array_reserve(&work->insns, &work->insn_capacity, work->insn_count + 1, sizeof *work->insns) ||
		!array_reserve(&work->exits, &capacity, work->insn_count + 1, sizeof *work->exits) ||
		!array_reserve(&work->region_of, &old, work->insn_count + 1, sizeof *work->region_of))
		return false;
	work->side_capacity = old;
	work->exits[work->insn_count] = EXIT_NONE;
	work->region_of[work->insn_count] = WORK_NONE;
	work->insns[work->insn_count++] = *insn;
	return true;
}

/* Reads the reachable instructions of an entry; unreachable bytes may be data. Unreachable nops
 * only fill the space up to the next instruction: these are free. */
static bool read_entry(struct plan_work *work, const struct plan_entry *entry)
{
	struct plan_code *code = work->code;
	struct plan_insn insn;
	bool is_reached = true;

	for (uint32_t at = entry->low; at < entry->high; at += insn.length) {
		if (!plan_insn_read(code->image, at, entry->high, &insn))
			return true; /* not reached: code.c has cleared is_code, and read_group has refused the group */
		is_reached |= (*plan_code_at(code, at) & BYTE_TARGET) != 0;
		for (uint32_t i = 0; !is_reached && insn.kind == INSN_NOP && i < insn.length; i++)
			*plan_code_at(code, at + i) |= BYTE_FREE;
		if (!is_reached)
			continue;
		if (!add_insn(work, &insn))
			return false;
		is_reached = !plan_insn_ends_flow(&insn);
	}
	return true;
}

static bool is_in_function(const struct plan_work *work, const struct plan_entry *entry)
{
	return entry && !entry->is_linkage && work->code->entries[entry->group].group == work->entry->group;
}

/* Returns whether a jump out of the function may lead to target: the start of a function, a stub of the procedure linkage table,
 * or code without unwind tables that is no padding. */
static bool is_exit_target(const struct plan_work *work, uint32_t target)
{
	const struct plan_code *code = work->code;
	const struct plan_entry *to = target == PLAN_NOWHERE ? NULL : plan_code_find(code, target);

	if (target == PLAN_NOWHERE)
		return false;
	if (plan_spans_find(&code->image->linkage, target))
		return true;
	if (to)
		return to->low == target && to->is_function && !to->overlaps;
	return plan_image_is_code(code->image, target) && !(*plan_code_at(code, target) & BYTE_FREE);
}

/* A jump to an address is an exit if it is a tail call: with only the return address on the stack, and no pointer into the
 * function. With a deeper stack and a pointer into the function, the jump leads into the function. Nothing else is understood. */
static enum plan_reason classify_indirect_jump(struct plan_work *work, uint32_t i, const struct plan_entry *entry)
{
	enum plan_jump kind = plan_jump_kind(work->code, work->insns[i].at);
	bool is_bare;

	if (kind != JUMP_ADDRESS)
		return kind == JUMP_TABLE ? PLAN_TIMED : PLAN_JUMP_NOT_UNDERSTOOD;
	is_bare = plan_frame_is_bare(work->code, entry, work->insns[i].at);
	if (is_bare == work->is_pointed_into)
		return PLAN_JUMP_NOT_UNDERSTOOD;
	if (is_bare)
		work->exits[i] = EXIT_INDIRECT;
	return PLAN_TIMED;
}

/* Decides whether instruction i leaves the function, and how. Returns PLAN_TIMED, or the reason for not timing the function. */
static enum plan_reason classify_exit(struct plan_work *work, uint32_t i)
{
	const struct plan_insn *insn = &work->insns[i];
	const struct plan_entry *entry = plan_code_find(work->code, insn->at);

	switch (insn->kind) {
	case INSN_RETURN:
		work->exits[i] = EXIT_RETURN;
		return PLAN_TIMED;
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_LOOP:
		if (insn->target != PLAN_NOWHERE && is_in_function(work, plan_code_find(work->code, insn->target)))
			return plan_work_find(work, insn->target) == WORK_NONE ? PLAN_CODE_NOT_UNDERSTOOD : PLAN_TIMED;
		if (!is_exit_target(work, insn->target) || insn->kind == INSN_LOOP ||
			!plan_frame_is_bare(work->code, entry, insn->at))
			return PLAN_EXIT_NOT_UNDERSTOOD;
		work->exits[i] = insn->kind == INSN_JUMP ? EXIT_JUMP : EXIT_BRANCH;
		return PLAN_TIMED;
	case INSN_JUMP_INDIRECT:
		return classify_indirect_jump(work, i, entry);
	default:
		/* A call that never returns may be the last instruction. */
		if (!plan_insn_ends_flow(insn) && insn->kind != INSN_CALL && insn->kind != INSN_CALL_INDIRECT &&
			insn->kind != INSN_NOP && !plan_work_is_next(work, i))
			return PLAN_EXIT_NOT_UNDERSTOOD;
		return PLAN_TIMED;
	}
}

/* Finds out whether something calls or points to a byte of the function other than the first. */
static void find_inner_entries(struct plan_work *work, const struct plan_entry *entry)
{
	for (uint32_t at = entry->low + (entry == work->entry); at < entry->high; at++) {
		uint8_t flags = *plan_code_at(work->code, at);

		work->is_called_into |= (flags & BYTE_CALLED) != 0;
		/* Pointers to a byte inside an instruction are numbers that look like pointers. */
		work->is_pointed_into |= flags & BYTE_INSN && flags & (BYTE_CODE_POINTER | BYTE_DATA_POINTER);
	}
}

/* Finds the function's own entry. Returns PLAN_TIMED, or the reason for leaving the function alone. */
static enum plan_reason read_group(struct plan_work *work, struct plan_entry *group, bool *has_indirect_jump)
{
	struct plan_code *code = work->code;
	enum plan_reason reason = PLAN_TIMED;
	uint32_t functions = 0;

	for (struct plan_entry *entry = group;; entry = &code->entries[entry->next]) {
		functions += entry->is_function;
		*has_indirect_jump |= entry->has_indirect_jump;
		if (entry->is_function && !work->entry)
			work->entry = entry;
		if (entry->overlaps)
			reason = PLAN_OVERLAPS;
		else if (entry->is_restartable && reason < PLAN_LEFT_ALONE)
			reason = PLAN_RESTARTABLE;
		else if (!entry->is_code && reason < PLAN_LEFT_ALONE)
			reason = PLAN_CODE_NOT_UNDERSTOOD;
		if (entry->next == UINT32_MAX)
			break;
	}
	if (reason >= PLAN_LEFT_ALONE)
		return reason;
	return functions == 1 ? PLAN_TIMED : functions ? PLAN_SHARED : PLAN_NOT_ENTERED;
}

enum plan_reason plan_work_read(struct plan_work *work, struct plan_code *code, struct plan_entry *group)
{
	enum plan_reason reason;
	bool has_indirect_jump = false;

	work->code = code;
	work->entry = NULL;
	work->insn_count = work->region_count = 0;
	work->is_called_into = work->is_pointed_into = false;
	reason = read_group(work, group, &has_indirect_jump);
	if (reason != PLAN_TIMED)
		return reason;
	work->start = work->body = work->entry->low;
	if (work->entry->high - work->start > sizeof endbr && !memcmp(code->image->bytes + work->start, endbr, sizeof endbr))
		work->body += sizeof endbr;
	for (struct plan_entry *entry = group;; entry = &code->entries[entry->next]) {
		if (!read_entry(work, entry))
			return PLAN_REASONS;
		find_inner_entries(work, entry);
		if (entry->next == UINT32_MAX)
			break;
	}
	/* A pointer into the function is fine only if an indirect jump of the function may use it, as with a table of labels. */
	if (work->is_called_into || (work->is_pointed_into && !has_indirect_jump))
		reason = PLAN_SEVERAL_ENTRIES;
	if (plan_work_find(work, work->body) == WORK_NONE)
		return PLAN_CODE_NOT_UNDERSTOOD;
	for (uint32_t i = 0; i < work->insn_count; i++) {
		enum plan_reason found = classify_exit(work, i);

		reason = found > reason ? found : reason;
	}
	return reason;
}

void plan_work_clear(struct plan_work *work)
{
	free(work->insns);
	free(work->exits);
	free(work->region_of);
	free(work->regions);
	*work = (struct plan_work){0};
}
