/* flags: finds functions that pass values in flags (flags.h). */
#include "plan/flags.h"

#include "plan/all_cores.h"
#include "plan/operand.h"

#define FOLLOW_MAX 64u /* most instructions to follow: it ends every loop, and no value stays in the flags for longer */
#define RECENT_MAX 8u /* number of instructions kept before a return */

static bool is_same_function(const struct plan_code *code, const struct plan_entry *a, const struct plan_entry *b)
{
	return b && !b->is_linkage && code->entries[a->group].group == code->entries[b->group].group;
}

/* Returns the flags that a conditional branch reads. */
static uint32_t branch_reads(uint8_t condition)
{
	enum { CF = 1, PF = 4, ZF = 0x40, SF = 0x80, OF = 0x800 };
	static const uint16_t reads[] = {OF, CF, ZF, CF | ZF, SF, PF, SF | OF, ZF | SF | OF};

	return reads[condition / 2 % 8];
}

enum plan_flags plan_flags_follow(const struct plan_code *code, const struct plan_entry *entry, uint32_t at, uint32_t *target)
{
	uint32_t left = PLAN_FLAGS_ALL;
	struct plan_flag_effects effects;
	struct plan_insn insn;

	for (unsigned n = 0; n < FOLLOW_MAX && plan_insn_read(code->image, at, entry->high, &insn); n++) {
		at += insn.length;
		switch (insn.kind) {
		case INSN_BRANCH:
			if (branch_reads(insn.condition) & left)
				return FLAGS_READ;
			break;
		case INSN_RETURN:
			return FLAGS_RETURNED;
		case INSN_CALL:
		case INSN_JUMP:
			if (insn.kind == INSN_JUMP && is_same_function(code, entry, plan_code_find(code, insn.target))) {
				at = insn.target;
				entry = plan_code_find(code, at);
				break;
			}
			*target = insn.target;
			return FLAGS_HANDED_ON;
		case INSN_CALL_INDIRECT:
		case INSN_JUMP_INDIRECT:
		case INSN_STOP:
			return FLAGS_DROPPED;
		case INSN_IMMOVABLE:
			return FLAGS_UNKNOWN;
		case INSN_PLAIN:
			plan_flag_effects_read(code->image, &insn, &effects);
			if (effects.reads & left)
				return FLAGS_READ;
			left &= ~effects.writes;
			if (!left)
				return FLAGS_DROPPED;
			break;
		default:
			break;
		}
	}
	return FLAGS_UNKNOWN;
}

/* The instructions directly before another, without a branch or a target of one in between. */
struct recent_insns {
	struct plan_insn list[RECENT_MAX];
	unsigned count;
};

static void add_recent_insn(struct recent_insns *recent_insns, const struct plan_insn *insn)
{
	recent_insns->list[recent_insns->count++ % RECENT_MAX] = *insn;
}

/* Returns whether the function returns with an unread result of a comparison, or of another instruction without further results.
 * Compilers never emit such code, so the caller must read the flags. This also works for callers in other files. */
static bool returns_comparison(const struct plan_code *code, const struct recent_insns *recent_insns)
{
	struct plan_flag_effects effects;

	for (unsigned i = 0; i < recent_insns->count && i < RECENT_MAX; i++) {
		plan_flag_effects_read(code->image, &recent_insns->list[(recent_insns->count - 1 - i) % RECENT_MAX], &effects);
		if (effects.reads || effects.writes)
			return !effects.reads && effects.sets_only_flags;
	}
	return false;
}

/* Returns the function that is called, jumped to or returned to; null: unknown. */
static struct plan_entry *find_root(const struct plan_code *code, uint32_t at)
{
	struct plan_entry *entry = at == PLAN_NOWHERE ? NULL : plan_code_find(code, at);

	return entry && !entry->is_linkage ? &code->entries[entry->group] : NULL;
}

/* Several threads examine entries at the same time. */
static bool is_set(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

/* Sets the flag. Returns whether the flag was clear. */
static bool set_if_clear(bool *flag)
{
	return !is_set(flag) && !__atomic_exchange_n(flag, true, __ATOMIC_RELAXED);
}

/* Returns the place that a call returns to. PLAN_NOWHERE if something else leads to
 * the code after the call, as after a call that never returns. */
static uint32_t find_return_place(const struct plan_code *code, const struct plan_entry *entry, const struct plan_insn *call)
{
	uint32_t at = call->at + call->length;
	struct plan_insn insn;

	while (plan_insn_read(code->image, at, entry->high, &insn)) {
		if (*plan_code_at(code, at) & BYTE_TARGET)
			return PLAN_NOWHERE;
		if (insn.kind != INSN_NOP)
			return at;
		at += insn.length;
	}
	return PLAN_NOWHERE;
}

/* Examines the code after a call: if the code reads flags, the called function returns flags. */
static bool examine_code_after_call(struct plan_code *code, const struct plan_entry *entry, const struct plan_insn *call)
{
	const struct plan_entry *root = &code->entries[entry->group], *next;
	struct plan_entry *called = find_root(code, call->target);
	uint32_t behind = find_return_place(code, entry, call), target;

	if (!called || is_set(&called->returns_flags) || behind == PLAN_NOWHERE)
		return false;
	switch (plan_flags_follow(code, entry, behind, &target)) {
	case FLAGS_READ:
		return set_if_clear(&called->returns_flags);
	case FLAGS_RETURNED:
		return is_set(&root->returns_flags) && set_if_clear(&called->returns_flags);
	case FLAGS_HANDED_ON:
		next = find_root(code, target);
		return next && is_set(&next->reads_caller_flags) && set_if_clear(&called->returns_flags);
	default:
		return false;
	}
}

/* A jump to another function, as a tail call. */
static bool examine_jump(struct plan_code *code, const struct plan_entry *entry, const struct plan_insn *jump)
{
	struct plan_entry *root = &code->entries[entry->group], *to = find_root(code, jump->target);
	bool is_new_out, is_new_on;

	if (!to || to == root)
		return false;
	is_new_out = is_set(&root->returns_flags) && set_if_clear(&to->returns_flags);
	is_new_on = is_set(&to->reads_caller_flags) && set_if_clear(&root->flags_passed_on);
	return is_new_out || is_new_on;
}

/* Examines whether the function's first instructions, or the next function on the path, read flags of a caller. */
static bool examine_first_flag_use(struct plan_code *code, const struct plan_entry *entry)
{
	struct plan_entry *root = &code->entries[entry->group], *next;
	uint32_t target;

	switch (plan_flags_follow(code, entry, entry->low, &target)) {
	case FLAGS_READ:
		return set_if_clear(&root->reads_caller_flags);
	case FLAGS_HANDED_ON:
		next = find_root(code, target);
		return next && is_set(&next->reads_caller_flags) && set_if_clear(&root->reads_caller_flags);
	default:
		return false;
	}
}

/* Examines all instructions of an entry. Like the three functions above, returns whether a fact is new. */
static bool examine_entry(struct plan_code *code, const struct plan_entry *entry)
{
	struct plan_entry *root = &code->entries[entry->group];
	struct recent_insns recent_insns = {.count = 0};
	struct plan_insn insn;
	bool changed = entry->is_function && examine_first_flag_use(code, entry);

	for (uint32_t at = entry->low; at < entry->high && plan_insn_read(code->image, at, entry->high, &insn); at += insn.length) {
		switch (insn.kind) {
		case INSN_CALL:
			changed |= examine_code_after_call(code, entry, &insn);
			break;
		case INSN_JUMP:
		case INSN_BRANCH:
			changed |= examine_jump(code, entry, &insn);
			break;
		case INSN_RETURN:
			changed |= !is_set(&root->returns_flags) && returns_comparison(code, &recent_insns) &&
				   set_if_clear(&root->returns_flags);
			break;
		case INSN_PLAIN:
			add_recent_insn(&recent_insns, &insn);
			continue;
		default:
			break;
		}
		recent_insns.count = 0;
	}
	return changed;
}

/* One pass over all entries. */
struct pass {
	struct plan_code *code;
	bool has_changed; /* atomic */
};

static bool examine_entries(void *context, size_t first, size_t end)
{
	struct pass *pass = context;
	struct plan_code *code = pass->code;
	bool changed = false;

	for (size_t i = first; i < end; i++)
		if (!code->entries[i].is_linkage && code->entries[i].is_code)
			changed |= examine_entry(code, &code->entries[i]);
	if (changed)
		__atomic_store_n(&pass->has_changed, true, __ATOMIC_RELAXED);
	return true;
}

/* Repeats until nothing changes: a function may return the flags of another function. Most files have no such functions and need
 * one pass. Facts are only added, and no fact prevents another one, so the order of the entries does not matter. */
void plan_flags_find(struct plan_code *code)
{
	struct pass pass = {code, true};

	while (pass.has_changed) {
		pass.has_changed = false;
		all_cores_run(examine_entries, &pass, code->count);
	}
}
