/* Finds the targets of indirect jumps: searches backwards for the instructions that compute the address. */
#include "plan/jump_targets.h"

#include <stdlib.h>

#include "plan/frame.h"
#include "plan/jump_scan.h"
#include "plan/operand.h"
#include "plan/table.h"
#include "util/array.h"

#define STEPS_MAX 4096u /* steps per search: a longer search counts as not understood */
#define PATHS_MAX 128u
#define DEFS_MAX 16u

/* The result of a search: the instructions that may have set the register, and the kinds of values. */
struct def_set {
	struct plan_def defs[DEFS_MAX];
	uint32_t at[DEFS_MAX]; /* index of the defining instruction */
	uint32_t count;
	bool is_argument; /* the value may come from the caller */
	bool is_unknown; /* some paths are unknown, or there are too many */
};

/* A path that the search still has to follow. */
struct search_path {
	uint32_t at; /* index of the instruction from which to search backwards */
	uint8_t reg; /* the register that has the wanted value after this instruction */
};
struct search {
	const struct jump_scan *jump_scan;
	struct search_path search_paths[PATHS_MAX];
	uint32_t count, done; /* number of paths, and of paths already followed */
	struct def_set *def_set;
	uint32_t steps;
};

static void add_path(struct search *search, uint32_t at, uint8_t reg)
{
	for (uint32_t i = 0; i < search->count; i++)
		if (search->search_paths[i].at == at && search->search_paths[i].reg == reg)
			return;
	if (search->count == PATHS_MAX)
		search->def_set->is_unknown = true;
	else
		search->search_paths[search->count++] = (struct search_path){at, reg};
}

/* Adds all paths to an instruction, except the one from the previous instruction. */
static void add_paths_to(struct search *search, uint32_t i, uint8_t reg)
{
	const struct jump_scan *jump_scan = search->jump_scan;
	uint32_t at = jump_scan->insns[i].at;
	uint8_t flags = *plan_code_at(jump_scan->code, at);

	if (i == 0)
		search->def_set->is_argument = true;
	if (!(flags & BYTE_TARGET))
		return;
	if (i ? flags & (BYTE_CALLED | BYTE_CODE_POINTER) || plan_code_has_jump_to(jump_scan->code, at) ||
				(flags & BYTE_FIXED && jump_scan->has_landings)
	      : !plan_frame_is_bare(jump_scan->code, jump_scan->entry, at))
		search->def_set->is_unknown = true;
	search->steps += (uint32_t)jump_scan->count / 8;
	for (uint32_t k = 0; k < jump_scan->count; k++) {
		const struct plan_insn *insn = &jump_scan->insns[k];

		if (plan_insn_is_branch(insn) && insn->target == at)
			add_path(search, k, reg);
		else if (flags & BYTE_FIXED && insn->kind == INSN_JUMP_INDIRECT)
			add_path(search, k, reg);
	}
}

static void add_paths_before(struct search *search, uint32_t i, uint8_t reg)
{
	add_paths_to(search, i, reg);
	if (i && !plan_insn_ends_flow(&search->jump_scan->insns[i - 1]))
		add_path(search, i - 1, reg);
}

static void add_def(struct search *search, uint32_t i, const struct plan_def *def)
{
	struct def_set *def_set = search->def_set;

	if (def_set->count == DEFS_MAX) {
		def_set->is_unknown = true;
		return;
	}
	def_set->at[def_set->count] = i;
	def_set->defs[def_set->count++] = *def;
}

/* Follows one path back: from instruction i to earlier instructions. */
static void follow_path_back(struct search *search, uint32_t i, uint8_t reg)
{
	const struct jump_scan *jump_scan = search->jump_scan;

	for (;; i--) {
		struct plan_def def;

		if (search->steps++ >= STEPS_MAX) {
			search->def_set->is_unknown = true;
			return;
		}
		plan_def_read(jump_scan->code->image, &jump_scan->insns[i], reg, &def);
		if (def.kind == DEF_MAYBE)
			add_paths_before(search, i, def.source);
		if (def.kind == DEF_COPY) {
			reg = def.source;
		} else if (def.kind != DEF_NONE && def.kind != DEF_MAYBE) {
			add_def(search, i, &def);
			return;
		}
		add_paths_to(search, i, reg);
		if (!i || plan_insn_ends_flow(&jump_scan->insns[i - 1]))
			return;
	}
}

/* Finds the possible values of a register right before an instruction. */
static void find_defs(const struct jump_scan *jump_scan, uint32_t before, uint8_t reg, struct def_set *def_set)
{
	struct search search = {.jump_scan = jump_scan, .def_set = def_set};

	*def_set = (struct def_set){0};
	if (reg >= PLAN_NO_REGISTER) {
		def_set->is_unknown = true;
		return;
	}
	add_paths_before(&search, before, reg);
	while (search.done < search.count && !def_set->is_unknown) {
		struct search_path search_path = search.search_paths[search.done++];

		follow_path_back(&search, search_path.at, search_path.reg);
	}
}

/* Returns whether the search has found all definitions, at least one, and all are of this kind. */
static bool all_defs_are(const struct def_set *def_set, enum plan_def_kind kind)
{
	if (!def_set->count || def_set->is_unknown || def_set->is_argument)
		return false;
	for (uint32_t i = 0; i < def_set->count; i++)
		if (def_set->defs[i].kind != kind)
			return false;
	return true;
}

/* Reads all possible tables. bases: the constants that may be the table's address; load: how the jump reads an entry. */
static bool read_tables(const struct jump_scan *jump_scan, const struct def_set *bases, const struct plan_def *load,
	uint32_t load_at, enum plan_jump *kind)
{
	uint32_t exact = plan_find_table_length(jump_scan, load_at, load->index);
	bool is_relative = load->kind == DEF_LOAD_4;
	int64_t displacement = load->base == PLAN_NO_REGISTER ? 0 : load->displacement;

	*kind = bases->count ? JUMP_TABLE : JUMP_UNKNOWN;
	for (uint32_t i = 0; i < bases->count; i++) {
		uint32_t base = bases->defs[i].place, count = 0;
		uint32_t place = base == PLAN_NOWHERE ? base
						      : plan_place(jump_scan->code->image,
								jump_scan->code->image->base + base + (uint64_t)displacement);

		if (place != PLAN_NOWHERE &&
			!plan_table_read(jump_scan->code, jump_scan->entry, jump_scan->insns[jump_scan->jump].at, place,
				is_relative ? base : PLAN_NOWHERE, exact, &count))
			return false;
		if (!count)
			*kind = JUMP_UNKNOWN;
	}
	return true;
}

/* Tries all addresses that the function computes: the base is unknown, but must be among these addresses. */
static bool read_candidate_tables(const struct jump_scan *jump_scan, int64_t displacement, enum plan_jump *kind)
{
	*kind = JUMP_UNKNOWN;
	for (uint32_t i = 0; i < jump_scan->count; i++) {
		const struct plan_insn *insn = &jump_scan->insns[i];
		uint32_t count = 0, place;
		uint32_t base = insn->relative_at ? insn->target : insn->immediate;

		if (base == PLAN_NOWHERE || plan_image_is_code(jump_scan->code->image, base))
			continue;
		place = plan_place(jump_scan->code->image, jump_scan->code->image->base + base + (uint64_t)displacement);
		if (place != PLAN_NOWHERE && !plan_table_read(jump_scan->code, jump_scan->entry,
						     jump_scan->insns[jump_scan->jump].at, place, base, 0, &count))
			return false;
		if (count)
			*kind = JUMP_TABLE;
	}
	return true;
}

/* Returns whether an uncertain register may hold an address that the function computed much earlier: on one of several possible
 * paths, kept on the stack, or too far back for the search. Values from other memory or from the caller are excluded. */
static bool may_hold_address(const struct def_set *def_set)
{
	bool is_kept = def_set->is_unknown || !def_set->is_argument;

	for (uint32_t i = 0; i < def_set->count; i++) {
		const struct plan_def *def = &def_set->defs[i];

		if (def->kind == DEF_CONST)
			return true;
		is_kept &= def->kind == DEF_LOAD_8 && (def->base == 4 || def->base == 5);
	}
	return is_kept;
}

/* Reads a jump whose target is the sum of a table's address and a distance from the table.
 * load: the distance; base: possible values of the other register. */
static bool read_sum(const struct jump_scan *jump_scan, const struct def_set *load, const struct def_set *base,
	uint8_t base_register, enum plan_jump *kind)
{
	const struct plan_def *from = &load->defs[0];
	struct def_set table;

	*kind = JUMP_UNKNOWN;
	if (!all_defs_are(load, DEF_LOAD_4) || load->count != 1)
		return true;
	if (from->place != PLAN_NOWHERE || from->index == PLAN_NO_REGISTER || from->scale != 4)
		return true;
	find_defs(jump_scan, load->at[0], from->base, &table);
	if (!all_defs_are(base, DEF_CONST) && !may_hold_address(base))
		return true;
	if (!all_defs_are(base, DEF_CONST))
		return base_register == from->base || base_register == PLAN_NO_REGISTER || !all_defs_are(&table, DEF_CONST)
			       ? read_candidate_tables(jump_scan, from->displacement, kind)
			       : read_tables(jump_scan, &table, from, load->at[0], kind);
	/* The two registers must hold the same table, or one register must be computed from the other. */
	for (uint32_t i = 0; all_defs_are(&table, DEF_CONST) && i < table.count; i++)
		for (uint32_t k = 0; k < base->count; k++)
			if (base->count != table.count || (base->count == 1 && base->defs[k].place != table.defs[i].place))
				return true;
	return read_tables(jump_scan, base, from, load->at[0], kind);
}

/* Reads a jump to the sum of two registers, in either order. All sums in `target` must belong to tables. */
static bool read_relative(const struct jump_scan *jump_scan, const struct def_set *target, enum plan_jump *kind)
{
	*kind = JUMP_UNKNOWN;
	for (uint32_t i = 0; i < target->count; i++) {
		const struct plan_def *sum = &target->defs[i];
		struct def_set left, right;
		enum plan_jump one = JUMP_UNKNOWN;

		find_defs(jump_scan, target->at[i], sum->first, &left);
		find_defs(jump_scan, target->at[i], sum->source, &right);
		if (all_defs_are(&left, DEF_LOAD_4)) {
			if (!read_sum(jump_scan, &left, &right, sum->source, &one))
				return false;
		} else if (!read_sum(jump_scan, &right, &left, sum->first, &one)) {
			return false;
		}
		if (one != JUMP_TABLE) {
			*kind = JUMP_UNKNOWN;
			return true;
		}
		*kind = one;
	}
	return true;
}

/* Reads a jump by a word of memory: JUMP_TABLE for a known table of addresses, else JUMP_ADDRESS.
 * before: the instruction at which to evaluate the registers. */
static bool read_load(const struct jump_scan *jump_scan, const struct plan_def *load, uint32_t before, enum plan_jump *kind)
{
	struct def_set base = {.count = 1};

	*kind = JUMP_ADDRESS;
	if (load->place != PLAN_NOWHERE || load->index == PLAN_NO_REGISTER || load->scale != 8)
		return true;
	if (load->base == PLAN_NO_REGISTER)
		base.defs[0].place = plan_place(jump_scan->code->image, (uint64_t)load->displacement);
	else
		find_defs(jump_scan, before, load->base, &base);
	if (load->base != PLAN_NO_REGISTER && !all_defs_are(&base, DEF_CONST))
		return true;
	if (!read_tables(jump_scan, &base, load, before, kind))
		return false;
	if (*kind == JUMP_UNKNOWN)
		*kind = JUMP_ADDRESS;
	return true;
}

/* Classifies the jump, and marks the targets of the tables. Like the functions above, returns false only if out of memory. */
static bool classify_jump(const struct jump_scan *jump_scan, enum plan_jump *kind)
{
	struct plan_def jump;
	struct def_set target;

	*kind = JUMP_UNKNOWN;
	plan_jump_read(jump_scan->code->image, &jump_scan->insns[jump_scan->jump], &jump);
	if (jump.kind == DEF_LOAD_8)
		return read_load(jump_scan, &jump, jump_scan->jump, kind);
	if (jump.kind != DEF_COPY)
		return true;
	find_defs(jump_scan, jump_scan->jump, jump.source, &target);
	if (all_defs_are(&target, DEF_SUM))
		return read_relative(jump_scan, &target, kind);
	if (target.is_unknown)
		return true;
	*kind = JUMP_ADDRESS;
	for (uint32_t i = 0; i < target.count && *kind != JUMP_UNKNOWN; i++) {
		const struct plan_def *def = &target.defs[i];
		enum plan_jump one = JUMP_ADDRESS;

		if (def->kind == DEF_LOAD_8 && !read_load(jump_scan, def, target.at[i], &one))
			return false;
		if (def->kind == DEF_OTHER || def->kind == DEF_SUM || def->kind == DEF_LOAD_4)
			one = JUMP_UNKNOWN;
		*kind = i && *kind != one ? JUMP_UNKNOWN : one;
	}
	return true;
}

static bool read_insns(struct jump_scan *jump_scan)
{
	const struct plan_entry *entry = jump_scan->entry;

	jump_scan->count = 0;
	for (uint32_t at = entry->low; at < entry->high;) {
		if (!array_reserve(&jump_scan->insns, &jump_scan->capacity, jump_scan->count + 1, sizeof *jump_scan->insns))
			return false;
		if (!plan_insn_read(jump_scan->code->image, at, entry->high, &jump_scan->insns[jump_scan->count]))
			return true;
		at += jump_scan->insns[jump_scan->count++].length;
	}
	return true;
}

static bool classify_jumps(struct jump_scan *jump_scan)
{
	struct plan_code *code = jump_scan->code;

	uint64_t landings;

	code->first_entry_table = code->tables.count;
	if (!read_insns(jump_scan))
		return false;
	jump_scan->has_landings = cfi_get_lsda(code->image->frames, &jump_scan->entry->cfi, &landings);
	for (uint32_t i = 0; i < jump_scan->count; i++) {
		enum plan_jump kind;

		if (jump_scan->insns[i].kind != INSN_JUMP_INDIRECT)
			continue;
		jump_scan->jump = i;
		if (!classify_jump(jump_scan, &kind) ||
			!array_reserve(&code->jumps, &code->jump_capacity, code->jump_count + 1, sizeof *code->jumps))
			return false;
		code->jumps[code->jump_count++] = (struct plan_classified_jump){jump_scan->insns[i].at, (uint8_t)kind};
	}
	return true;
}

bool plan_find_jump_targets(struct plan_code *code)
{
	struct jump_scan jump_scan = {.code = code};
	bool good = true;

	for (size_t i = 0; !code->image->is_fixed && i < code->image->data_pointers.count; i++) {
		struct plan_entry *entry = plan_code_find(code, code->image->data_pointers.list[i].low);

		if (entry && entry->low == code->image->data_pointers.list[i].low)
			entry->is_pointed = true;
	}
	for (size_t i = 0; i < code->count && good; i++) {
		jump_scan.entry = &code->entries[i];
		if (jump_scan.entry->has_indirect_jump && !jump_scan.entry->overlaps && jump_scan.entry->is_code)
			good = classify_jumps(&jump_scan);
	}
	plan_spans_join(&code->tables);
	free(jump_scan.insns);
	return good;
}

enum plan_jump plan_jump_kind(const struct plan_code *code, uint32_t at)
{
	size_t low = 0, high = code->jump_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code->jumps[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->jump_count && code->jumps[low].at == at ? (enum plan_jump)code->jumps[low].kind : JUMP_UNKNOWN;
}
