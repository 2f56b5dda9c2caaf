/* group: decides which entries are functions (group.h). */
#include "plan/group.h"

#include <stdlib.h>

#include "plan/flags.h"
#include "plan/frame.h"

/* The jumps that lead to an entry in the way of tail calls. */
struct tail_callers {
	uint32_t source; /* 1 + root of a group with such a jump */
	bool has_several_sources; /* several groups have such jumps */
	bool has_unconditional_jump; /* one of the jumps is unconditional */
	bool is_edge_target; /* any edge leads to the entry */
};

static uint32_t find_root(struct plan_code *code, uint32_t index)
{
	while (code->entries[index].group != index) {
		code->entries[index].group = code->entries[code->entries[index].group].group;
		index = code->entries[index].group;
	}
	return index;
}

/* The root of a group is its first entry. */
static void unite(struct plan_code *code, uint32_t a, uint32_t b)
{
	a = find_root(code, a);
	b = find_root(code, b);
	if (a < b)
		code->entries[b].group = a;
	else
		code->entries[a].group = b;
}

/* A called entry is a function. An entry with a pointer to it is a function if the stack
 * is as at a function's start; otherwise it is a branch target. */
static bool is_known_function(const struct plan_code *code, const struct plan_entry *entry)
{
	uint8_t flags = *plan_code_at(code, entry->low);

	return flags & BYTE_CALLED ||
	       (flags & (BYTE_CODE_POINTER | BYTE_DATA_POINTER) && plan_frame_is_bare(code, entry, entry->low));
}

/* Returns whether the entry may read flags set elsewhere. */
static bool may_read_flags(const struct plan_code *code, const struct plan_entry *entry)
{
	uint32_t target;
	enum plan_flags flags = plan_flags_follow(code, entry, entry->low, &target);

	return flags == FLAGS_READ || flags == FLAGS_UNKNOWN;
}

/* Returns whether an edge is a tail call: a jump to an entry's first byte, with only a
 * return address on the stack. Jumps by tables are not tail calls. */
static bool is_tail_call(struct plan_code *code, size_t i, const struct plan_entry *from, const struct plan_entry *to)
{
	return code->edges[i].to == to->low && (to->is_function || (i < code->direct_edge_count && to != from &&
									   plan_frame_is_bare(code, from, code->edges[i].from) &&
									   plan_frame_is_bare(code, to, to->low)));
}

/* Adds a tail call to the facts about the called entry. from: the entry with the call. */
static void add_tail_caller(
	struct plan_code *code, struct tail_callers *in, const struct plan_edge *edge, const struct plan_entry *from)
{
	uint32_t source = find_root(code, (uint32_t)(from - code->entries)) + 1;
	struct plan_insn insn;

	in->has_several_sources |= in->source && in->source != source;
	in->source = source;
	in->has_unconditional_jump |= plan_insn_read(code->image, edge->from, from->high, &insn) && insn.kind == INSN_JUMP;
}

/* A function reached only by tail calls looks like a part of a caller. The entry counts as a function if several
 * callers lead there, or if an unconditional jump leads there and the entry is aligned like a function. In addition, a
 * gate at the entry must do no harm even if the entry were a part. */
static bool may_be_function(struct plan_code *code, const struct plan_entry *entry, const struct tail_callers *tail_callers)
{
	const struct plan_entry *root = &code->entries[find_root(code, (uint32_t)(entry - code->entries))];

	return tail_callers->source &&
	       (tail_callers->has_several_sources || (tail_callers->has_unconditional_jump && entry->low % 16 == 0)) &&
	       entry->is_code && !entry->overlaps && !root->uses_red_zone && !may_read_flags(code, entry);
}

/* Passes the property of each entry to the root of its group. */
static void spread_red_zones(struct plan_code *code)
{
	for (size_t i = 0; i < code->count; i++)
		code->entries[find_root(code, (uint32_t)i)].uses_red_zone |= code->entries[i].uses_red_zone;
}

/* Unites the entries of edges: of tail calls too (tails), or of the other edges only. */
static void unite_edges(struct plan_code *code, bool tails)
{
	for (size_t i = 0; i < code->edge_count; i++) {
		struct plan_entry *from = plan_code_find(code, code->edges[i].from), *to = plan_code_find(code, code->edges[i].to);

		if (!from || !to || to->is_linkage || (code->edges[i].to == to->low && to->is_function))
			continue;
		if (tails || !is_tail_call(code, i, from, to))
			unite(code, (uint32_t)(to - code->entries), (uint32_t)(from - code->entries));
	}
}

/* Finds the certain functions: known ones, and entries without any jump to them but with the stack as at a function's start. */
static void find_functions(struct plan_code *code, struct tail_callers *tail_callers)
{
	for (size_t i = 0; i < code->edge_count; i++) {
		struct plan_entry *to = plan_code_find(code, code->edges[i].to);

		if (to)
			tail_callers[to - code->entries].is_edge_target = true;
	}
	for (size_t i = 0; i < code->count; i++) {
		struct plan_entry *entry = &code->entries[i];

		entry->is_function = !entry->is_linkage &&
				     (is_known_function(code, entry) ||
					     (!tail_callers[i].is_edge_target && plan_frame_is_bare(code, entry, entry->low)));
	}
}

/* Finds the functions that only tail calls reach. pre: the entries of all edges except tail calls are united. */
static void find_tail_called_functions(struct plan_code *code, struct tail_callers *tail_callers)
{
	spread_red_zones(code);
	for (size_t i = 0; i < code->edge_count; i++) {
		struct plan_entry *from = plan_code_find(code, code->edges[i].from), *to = plan_code_find(code, code->edges[i].to);

		if (from && to && !to->is_linkage && !to->is_function && is_tail_call(code, i, from, to) &&
			find_root(code, (uint32_t)(from - code->entries)) != find_root(code, (uint32_t)(to - code->entries)))
			add_tail_caller(code, &tail_callers[to - code->entries], &code->edges[i], from);
	}
	for (size_t i = 0; i < code->count; i++)
		code->entries[i].is_candidate = may_be_function(code, &code->entries[i], &tail_callers[i]);
	for (size_t i = 0; i < code->edge_count; i++) {
		struct plan_entry *from = plan_code_find(code, code->edges[i].from), *to = plan_code_find(code, code->edges[i].to);

		if (from && to && to->is_candidate &&
			code->entries[find_root(code, (uint32_t)(from - code->entries))].uses_red_zone)
			to->is_candidate = false;
	}
	for (size_t i = 0; i < code->count; i++)
		code->entries[i].is_function |= code->entries[i].is_candidate;
}

/* Links the members of each group in order of address. It starts at
 * the end: a root's next is always the head of the list so far. */
static void link_groups(struct plan_code *code)
{
	for (size_t i = 0; i < code->count; i++) {
		code->entries[i].group = find_root(code, (uint32_t)i);
		code->entries[i].next = UINT32_MAX;
	}
	for (size_t i = code->count; i-- > 0;) {
		struct plan_entry *entry = &code->entries[i], *root = &code->entries[entry->group];

		if (entry == root)
			continue;
		entry->next = root->next;
		root->next = (uint32_t)i;
	}
}

bool plan_group(struct plan_code *code)
{
	struct tail_callers *tail_callers = calloc(code->count + 1, sizeof *tail_callers);

	if (!tail_callers)
		return false;
	for (size_t i = 0; i < code->count; i++)
		code->entries[i].group = (uint32_t)i;
	find_functions(code, tail_callers);
	unite_edges(code, false);
	find_tail_called_functions(code, tail_callers);
	unite_edges(code, true);
	free(tail_callers);
	link_groups(code);
	return true;
}
