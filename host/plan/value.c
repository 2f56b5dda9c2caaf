/* Finds the targets of indirect jumps: searches backwards for the instructions that compute the address. */
#include "plan/value.h"

#include <stdlib.h>

#include "plan/frame.h"
#include "plan/asked.h"
#include "plan/operand.h"
#include "plan/table.h"
#include "util/array.h"

#define STEPS_MAX 4096u /* steps per search: a longer search counts as not understood */
#define WAYS_MAX 128u
#define DEFS_MAX 16u

/* The result of a search: the instructions that may have set the register, and the kinds of values. */
struct found {
	struct plan_def defs[DEFS_MAX];
	uint32_t at[DEFS_MAX]; /* index of the defining instruction */
	uint32_t count;
	bool is_argument; /* the value may come from the caller */
	bool is_unknown; /* some paths are unknown, or there are too many */
};

/* A path that the search still has to follow. */
struct way {
	uint32_t at; /* index of the instruction from which to search backwards */
	uint8_t reg; /* the register that has the wanted value after this instruction */
};
struct search {
	const struct asked *asked;
	struct way ways[WAYS_MAX];
	uint32_t count, done; /* number of paths, and of paths already followed */
	struct found *found;
	uint32_t steps;
};

static void add_way(struct search *search, uint32_t at, uint8_t reg)
{
	for (uint32_t i = 0; i < search->count; i++)
		if (search->ways[i].at == at && search->ways[i].reg == reg)
			return;
	if (search->count == WAYS_MAX)
		search->found->is_unknown = true;
	else
		search->ways[search->count++] = (struct way){at, reg};
}

/* Adds all paths to an instruction, except the one from the previous instruction. */
static void add_ways_to(struct search *search, uint32_t i, uint8_t reg)
{
	const struct asked *asked = search->asked;
	uint32_t at = asked->insns[i].at;
	uint8_t flags = *plan_code_at(asked->code, at);

	if (i == 0)
		search->found->is_argument = true;
	if (!(flags & BYTE_TARGET))
		return;
	if (i ? flags & (BYTE_CALLED | BYTE_TAKEN) || plan_code_is_led_to(asked->code, at) ||
				(flags & BYTE_FIXED && asked->has_landings)
	      : !plan_frame_is_bare(asked->code, asked->entry, at))
		search->found->is_unknown = true;
	search->steps += (uint32_t)asked->count / 8;
	for (uint32_t k = 0; k < asked->count; k++) {
		const struct plan_insn *insn = &asked->insns[k];

		if (plan_insn_is_branch(insn) && insn->target == at)
			add_way(search, k, reg);
		else if (flags & BYTE_FIXED && insn->kind == INSN_JUMP_INDIRECT)
			add_way(search, k, reg);
	}
}

static void add_ways_before(struct search *search, uint32_t i, uint8_t reg)
{
	add_ways_to(search, i, reg);
	if (i && !plan_insn_ends(&search->asked->insns[i - 1]))
		add_way(search, i - 1, reg);
}

static void add_def(struct search *search, uint32_t i, const struct plan_def *def)
{
	struct found *found = search->found;

	if (found->count == DEFS_MAX) {
		found->is_unknown = true;
		return;
	}
	found->at[found->count] = i;
	found->defs[found->count++] = *def;
}

/* Follows one path back: from instruction i to earlier instructions. */
static void follow(struct search *search, uint32_t i, uint8_t reg)
{
	const struct asked *asked = search->asked;

	for (;; i--) {
		struct plan_def def;

		if (search->steps++ >= STEPS_MAX) {
			search->found->is_unknown = true;
			return;
		}
		plan_def_read(asked->code->image, &asked->insns[i], reg, &def);
		if (def.kind == DEF_MAYBE)
			add_ways_before(search, i, def.source);
		if (def.kind == DEF_COPY) {
			reg = def.source;
		} else if (def.kind != DEF_NONE && def.kind != DEF_MAYBE) {
			add_def(search, i, &def);
			return;
		}
		add_ways_to(search, i, reg);
		if (!i || plan_insn_ends(&asked->insns[i - 1]))
			return;
	}
}

/* Finds the possible values of a register right before an instruction. */
static void find_defs(const struct asked *asked, uint32_t before, uint8_t reg, struct found *found)
{
	struct search search = {.asked = asked, .found = found};

	*found = (struct found){0};
	if (reg >= PLAN_NO_REGISTER) {
		found->is_unknown = true;
		return;
	}
	add_ways_before(&search, before, reg);
	while (search.done < search.count && !found->is_unknown) {
		struct way way = search.ways[search.done++];

		follow(&search, way.at, way.reg);
	}
}

/* Returns whether the search has found all definitions, at least one, and all are of this kind. */
static bool are_all(const struct found *found, enum plan_def_kind kind)
{
	if (!found->count || found->is_unknown || found->is_argument)
		return false;
	for (uint32_t i = 0; i < found->count; i++)
		if (found->defs[i].kind != kind)
			return false;
	return true;
}

/* Reads all possible tables. bases: the constants that may be the table's address; load: how the jump reads an entry. */
static bool read_tables(
	const struct asked *asked, const struct found *bases, const struct plan_def *load, uint32_t load_at, enum plan_jump *kind)
{
	uint32_t exact = plan_find_count(asked, load_at, load->index);
	bool is_relative = load->kind == DEF_LOAD_4;
	int64_t displacement = load->base == PLAN_NO_REGISTER ? 0 : load->displacement;

	*kind = bases->count ? JUMP_TABLE : JUMP_UNKNOWN;
	for (uint32_t i = 0; i < bases->count; i++) {
		uint32_t base = bases->defs[i].place, count = 0;
		uint32_t place = base == PLAN_NOWHERE
					 ? base
					 : plan_place(asked->code->image, asked->code->image->base + base + (uint64_t)displacement);

		if (place != PLAN_NOWHERE && !plan_table_read(asked->code, asked->entry, asked->insns[asked->jump].at, place,
						     is_relative ? base : PLAN_NOWHERE, exact, &count))
			return false;
		if (!count)
			*kind = JUMP_UNKNOWN;
	}
	return true;
}

/* Tries all addresses that the function computes: the base is unknown, but must be among these addresses. */
static bool read_any_tables(const struct asked *asked, int64_t displacement, enum plan_jump *kind)
{
	*kind = JUMP_UNKNOWN;
	for (uint32_t i = 0; i < asked->count; i++) {
		const struct plan_insn *insn = &asked->insns[i];
		uint32_t count = 0, place;
		uint32_t base = insn->relative_at ? insn->target : insn->immediate;

		if (base == PLAN_NOWHERE || plan_image_is_code(asked->code->image, base))
			continue;
		place = plan_place(asked->code->image, asked->code->image->base + base + (uint64_t)displacement);
		if (place != PLAN_NOWHERE &&
			!plan_table_read(asked->code, asked->entry, asked->insns[asked->jump].at, place, base, 0, &count))
			return false;
		if (count)
			*kind = JUMP_TABLE;
	}
	return true;
}

/* Returns whether an uncertain register may hold an address that the function computed much earlier: on one of several possible
 * paths, kept on the stack, or too far back for the search. Values from other memory or from the caller are excluded. */
static bool may_be_kept(const struct found *found)
{
	bool is_kept = found->is_unknown || !found->is_argument;

	for (uint32_t i = 0; i < found->count; i++) {
		const struct plan_def *def = &found->defs[i];

		if (def->kind == DEF_CONST)
			return true;
		is_kept &= def->kind == DEF_LOAD_8 && (def->base == 4 || def->base == 5);
	}
	return is_kept;
}

/* Reads a jump whose target is the sum of a table's address and a distance from the table.
 * load: the distance; base: possible values of the other register. */
static bool read_sum(
	const struct asked *asked, const struct found *load, const struct found *base, uint8_t base_register, enum plan_jump *kind)
{
	const struct plan_def *from = &load->defs[0];
	struct found table;

	*kind = JUMP_UNKNOWN;
	if (!are_all(load, DEF_LOAD_4) || load->count != 1)
		return true;
	if (from->place != PLAN_NOWHERE || from->index == PLAN_NO_REGISTER || from->scale != 4)
		return true;
	find_defs(asked, load->at[0], from->base, &table);
	if (!are_all(base, DEF_CONST) && !may_be_kept(base))
		return true;
	if (!are_all(base, DEF_CONST))
		return base_register == from->base || base_register == PLAN_NO_REGISTER || !are_all(&table, DEF_CONST)
			       ? read_any_tables(asked, from->displacement, kind)
			       : read_tables(asked, &table, from, load->at[0], kind);
	/* The two registers must hold the same table, or one register must be computed from the other. */
	for (uint32_t i = 0; are_all(&table, DEF_CONST) && i < table.count; i++)
		for (uint32_t k = 0; k < base->count; k++)
			if (base->count != table.count || (base->count == 1 && base->defs[k].place != table.defs[i].place))
				return true;
	return read_tables(asked, base, from, load->at[0], kind);
}

/* Reads a jump to the sum of two registers, in either order. All sums in `target` must belong to tables. */
static bool read_relative(const struct asked *asked, const struct found *target, enum plan_jump *kind)
{
	*kind = JUMP_UNKNOWN;
	for (uint32_t i = 0; i < target->count; i++) {
		const struct plan_def *sum = &target->defs[i];
		struct found left, right;
		enum plan_jump one = JUMP_UNKNOWN;

		find_defs(asked, target->at[i], sum->first, &left);
		find_defs(asked, target->at[i], sum->source, &right);
		if (are_all(&left, DEF_LOAD_4)) {
			if (!read_sum(asked, &left, &right, sum->source, &one))
				return false;
		} else if (!read_sum(asked, &right, &left, sum->first, &one)) {
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
static bool read_load(const struct asked *asked, const struct plan_def *load, uint32_t before, enum plan_jump *kind)
{
	struct found base = {.count = 1};

	*kind = JUMP_ADDRESS;
	if (load->place != PLAN_NOWHERE || load->index == PLAN_NO_REGISTER || load->scale != 8)
		return true;
	if (load->base == PLAN_NO_REGISTER)
		base.defs[0].place = plan_place(asked->code->image, (uint64_t)load->displacement);
	else
		find_defs(asked, before, load->base, &base);
	if (load->base != PLAN_NO_REGISTER && !are_all(&base, DEF_CONST))
		return true;
	if (!read_tables(asked, &base, load, before, kind))
		return false;
	if (*kind == JUMP_UNKNOWN)
		*kind = JUMP_ADDRESS;
	return true;
}

/* Classifies the jump, and marks the targets of the tables. Like the functions above, returns false only if out of memory. */
static bool find_out(const struct asked *asked, enum plan_jump *kind)
{
	struct plan_def jump;
	struct found target;

	*kind = JUMP_UNKNOWN;
	plan_jump_read(asked->code->image, &asked->insns[asked->jump], &jump);
	if (jump.kind == DEF_LOAD_8)
		return read_load(asked, &jump, asked->jump, kind);
	if (jump.kind != DEF_COPY)
		return true;
	find_defs(asked, asked->jump, jump.source, &target);
	if (are_all(&target, DEF_SUM))
		return read_relative(asked, &target, kind);
	if (target.is_unknown)
		return true;
	*kind = JUMP_ADDRESS;
	for (uint32_t i = 0; i < target.count && *kind != JUMP_UNKNOWN; i++) {
		const struct plan_def *def = &target.defs[i];
		enum plan_jump one = JUMP_ADDRESS;

		if (def->kind == DEF_LOAD_8 && !read_load(asked, def, target.at[i], &one))
			return false;
		if (def->kind == DEF_OTHER || def->kind == DEF_SUM || def->kind == DEF_LOAD_4)
			one = JUMP_UNKNOWN;
		*kind = i && *kind != one ? JUMP_UNKNOWN : one;
	}
	return true;
}

static bool read_insns(struct asked *asked)
{
	const struct plan_entry *entry = asked->entry;

	asked->count = 0;
	for (uint32_t at = entry->low; at < entry->high;) {
		if (!array_reserve(&asked->insns, &asked->capacity, asked->count + 1, sizeof *asked->insns))
			return false;
		if (!plan_insn_read(asked->code->image, at, entry->high, &asked->insns[asked->count]))
			return true;
		at += asked->insns[asked->count++].length;
	}
	return true;
}

static bool find_jumps(struct asked *asked)
{
	struct plan_code *code = asked->code;

	uint64_t landings;

	code->entry_tables = code->tables.count;
	if (!read_insns(asked))
		return false;
	asked->has_landings = cfi_get_lsda(code->image->frames, &asked->entry->cfi, &landings);
	for (uint32_t i = 0; i < asked->count; i++) {
		enum plan_jump kind;

		if (asked->insns[i].kind != INSN_JUMP_INDIRECT)
			continue;
		asked->jump = i;
		if (!find_out(asked, &kind) ||
			!array_reserve(&code->jumps, &code->jump_capacity, code->jump_count + 1, sizeof *code->jumps))
			return false;
		code->jumps[code->jump_count++] = (struct plan_jump_found){asked->insns[i].at, (uint8_t)kind};
	}
	return true;
}

bool plan_find_tables(struct plan_code *code)
{
	struct asked asked = {.code = code};
	bool good = true;

	for (size_t i = 0; !code->image->is_fixed && i < code->image->pointed.count; i++) {
		struct plan_entry *entry = plan_code_find(code, code->image->pointed.list[i].low);

		if (entry && entry->low == code->image->pointed.list[i].low)
			entry->is_pointed = true;
	}
	for (size_t i = 0; i < code->count && good; i++) {
		asked.entry = &code->entries[i];
		if (asked.entry->has_indirect && !asked.entry->overlaps && asked.entry->is_code)
			good = find_jumps(&asked);
	}
	plan_spans_join(&code->tables);
	free(asked.insns);
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
