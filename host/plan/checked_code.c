/* Compares the code of a plan with the original instructions, for check.c. */
#include <stdlib.h>

#include "plan/checked.h"
#include "util/array.h"

#define GATE_BYTES 5u

/* A walk through the code of a site. The functions below compare the code at the position with the code required by the original
 * instruction, and advance the position. A false result means a diag, or no memory. */
struct walk {
	struct checked *checked;
	const struct dwell_plan_site *site;
	uint32_t index; /* of the site */
	uint32_t at; /* position in the code */
	const uint8_t *code; /* the code of the whole plan */
	uint32_t bytes; /* size of the code */
};

static bool fail_at_site(struct walk *walk, const char *why)
{
	return check_fail(walk->checked, walk->site->at, why);
}

static bool has_bytes(const struct walk *walk, uint32_t bytes)
{
	return bytes <= walk->bytes - walk->at;
}

/* Skips a gate of the same function at this position. Returns the gate's kind; 0: no gate here. */
static uint8_t skip_gate(struct walk *walk)
{
	uint32_t index = has_bytes(walk, GATE_BYTES) ? walk->checked->gates[walk->at] : 0;
	const struct dwell_plan_site *site = index ? &plan_sites(walk->checked->plan)[index - 1] : NULL;

	if (!site || site->function != walk->site->function)
		return 0;
	walk->at += GATE_BYTES;
	return site->kind;
}

static bool match_bytes(struct walk *walk, const uint8_t *bytes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!has_bytes(walk, i + 1) || walk->code[walk->at + i] != bytes[i] || walk->checked->fixed[walk->at + i])
			return fail_at_site(walk, "a moved instruction is another one in the code");
	walk->at += count;
	return true;
}

/* Takes a four-byte distance to a place in the module, with `behind` more bytes of the instruction after it. */
static bool match_distance(struct walk *walk, uint32_t place, uint32_t behind)
{
	uint32_t to;

	if (!has_bytes(walk, 4 + behind) || walk->checked->fixed[walk->at] != DWELL_PLAN_RELATIVE + 1)
		return fail_at_site(walk, "a distance in the code is not fixed");
	to = get_u32(walk->code + walk->at) + walk->at + 4 + behind;
	if (to != place)
		return fail_at_site(walk, "a moved instruction leads to another place");
	walk->at += 4;
	return true;
}

/* Takes a four-byte distance to a place in the module, or to the new position of the instruction moved from there. */
static bool match_target(struct walk *walk, uint32_t place)
{
	struct checked *checked = walk->checked;

	if (!has_bytes(walk, 4))
		return fail_at_site(walk, "the code ends in a jump");
	if (!array_reserve(&checked->links, &checked->link_capacity, checked->link_count + 1, sizeof *checked->links))
		return false;
	checked->links[checked->link_count++] = (struct checked_link){
		checked->fixed[walk->at] ? PLAN_NOWHERE : get_u32(walk->code + walk->at) + walk->at + 4, place, walk->index};
	if (checked->fixed[walk->at])
		return match_distance(walk, place, 0);
	walk->at += 4;
	return true;
}

static bool match_jump(struct walk *walk, uint32_t place)
{
	return match_bytes(walk, (const uint8_t *)"\xe9", 1) && match_target(walk, place);
}

static bool match_plain(struct walk *walk, const struct plan_insn *insn)
{
	const uint8_t *bytes = walk->checked->image.bytes + insn->at;
	uint32_t behind = insn->relative_at ? insn->length - insn->relative_at - 4u : 0;

	if (!insn->relative_at)
		return match_bytes(walk, bytes, insn->length);
	return match_bytes(walk, bytes, insn->relative_at) && match_distance(walk, insn->target, behind) &&
	       match_bytes(walk, bytes + insn->relative_at + 4, behind);
}

/* Takes a conditional jump out of the function: the inverse condition leaps over gate and jump. */
static bool match_branch_out(struct walk *walk, const struct plan_insn *insn)
{
	const uint8_t leap[] = {(uint8_t)(0x70 + (insn->condition ^ 1)), 10};

	return match_bytes(walk, leap, sizeof leap) && (skip_gate(walk) == DWELL_PLAN_TAIL || fail_at_site(walk, "a gate is missing")) &&
	       match_jump(walk, insn->target);
}

static bool is_timed(const struct walk *walk)
{
	return !(plan_functions(walk->checked->plan)[walk->site->function].flags & DWELL_PLAN_COUNTED);
}

static bool match_insn(struct walk *walk, const struct plan_insn *insn)
{
	uint8_t gate, opcode[] = {0x0f, (uint8_t)(0x80 + insn->condition)}, count[] = {insn->condition, 0x02, 0xeb, 0x05};

	if (insn->may_fault && plan_spans_find(&walk->checked->code.guarded, insn->at))
		return fail_at_site(walk, "what a moved instruction throws would find no landing pad");
	switch (insn->kind) {
	case INSN_NOP:
		return true;
	case INSN_BRANCH:
		if (has_bytes(walk, 7) && walk->code[walk->at] != 0x0f && walk->checked->gates[walk->at + 2])
			return match_branch_out(walk, insn);
		return match_bytes(walk, opcode, sizeof opcode) && match_target(walk, insn->target);
	case INSN_LOOP:
		return match_bytes(walk, count, sizeof count) && match_jump(walk, insn->target);
	case INSN_JUMP:
		gate = skip_gate(walk);
		return (!gate || gate == DWELL_PLAN_TAIL || fail_at_site(walk, "a gate is of the wrong kind")) &&
		       match_jump(walk, insn->target);
	case INSN_JUMP_INDIRECT:
		gate = skip_gate(walk);
		return (!gate || gate == DWELL_PLAN_TAIL || fail_at_site(walk, "a gate is of the wrong kind")) && match_plain(walk, insn);
	case INSN_RETURN:
		gate = skip_gate(walk);
		if (gate != (is_timed(walk) ? DWELL_PLAN_RETURN : 0))
			return fail_at_site(walk, "a gate is missing, or one is that must not be");
		return match_plain(walk, insn);
	case INSN_PLAIN:
		return match_plain(walk, insn);
	default:
		return fail_at_site(walk, "an instruction was moved that must not be");
	}
}

static bool add_label(struct checked *checked, uint32_t place, uint32_t code)
{
	if (!array_reserve(&checked->labels, &checked->label_capacity, checked->label_count + 1, sizeof *checked->labels))
		return false;
	checked->labels[checked->label_count++] = (struct checked_label){place, code};
	return true;
}

static bool match_call(struct walk *walk)
{
	struct plan_insn insn;

	if (!plan_insn_read(&walk->checked->image, walk->site->at, walk->checked->image.size, &insn) || insn.kind != INSN_CALL ||
		insn.length != 5)
		return fail_at_site(walk, "is no call");
	return (skip_gate(walk) == DWELL_PLAN_CALL || fail_at_site(walk, "a gate is missing")) && match_jump(walk, insn.target);
}

/* Follows the site's short jump to the long jump in the room, and moves the position to the target of the long jump. Returns false
 * if the room is missing, or out of reach. */
static bool follow_room(struct walk *walk)
{
	const struct dwell_plan_site *sites = plan_sites(walk->checked->plan);
	int64_t distance = (int64_t)walk->site->code - (int64_t)walk->site->at - 2;

	for (uint32_t i = 0; i < plan_head(walk->checked->plan)->site_count; i++)
		if (sites[i].at == walk->site->code && sites[i].kind == DWELL_PLAN_ROOM) {
			walk->at = sites[i].code;
			return distance >= -128 && distance <= 127;
		}
	return false;
}

/* Returns whether the site is at the function's start, or after its endbr64. */
static bool is_entry(const struct walk *walk)
{
	uint32_t start = plan_functions(walk->checked->plan)[walk->site->function].start;

	return walk->site->at == start || walk->site->at == start + 4;
}

bool check_site_code(struct checked *checked, uint32_t index, uint32_t end)
{
	const struct dwell_plan *head = plan_head(checked->plan);
	struct walk walk = {.checked = checked,
		.site = &plan_sites(checked->plan)[index],
		.index = index,
		.code = checked->plan.data + head->code,
		.bytes = head->code_bytes};
	struct plan_insn insn = {.kind = INSN_STOP};

	walk.at = walk.site->code;
	if (walk.site->changed == 2 && !follow_room(&walk))
		return fail_at_site(&walk, "its short jump leads to no room");
	if (walk.at >= walk.bytes)
		return fail_at_site(&walk, "leads out of the code");
	if (walk.site->kind == DWELL_PLAN_CALL)
		return match_call(&walk);
	if (walk.site->kind == DWELL_PLAN_ENTRY && (!is_entry(&walk) || skip_gate(&walk) != DWELL_PLAN_ENTRY))
		return fail_at_site(&walk, "a gate is missing, or its function begins elsewhere");
	for (uint32_t at = walk.site->at; at < end; at += insn.length) {
		if (!plan_insn_read(&checked->image, at, end, &insn))
			return fail_at_site(&walk, "what was moved is not whole");
		if (!add_label(checked, at, walk.at))
			return false;
		if (!match_insn(&walk, &insn))
			return false;
	}
	return plan_insn_ends_flow(&insn) || match_jump(&walk, end);
}

static int by_place(const void *a, const void *b)
{
	const struct checked_label *left = a, *right = b;

	return left->place < right->place ? -1 : left->place > right->place;
}

/* A jump to endbr64 may lead to the instruction after it. */
static bool leads_to(const struct checked *checked, uint32_t code, uint32_t place)
{
	const struct checked_label key = {place, 0}, body = {place + 4, 0};
	const struct checked_label *label = bsearch(&key, checked->labels, checked->label_count, sizeof key, by_place);

	if (!label && !memcmp(checked->image.bytes + place, "\xf3\x0f\x1e\xfa", 4))
		label = bsearch(&body, checked->labels, checked->label_count, sizeof key, by_place);
	return label && label->code == code;
}

/* Returns whether a place in the module is unchanged, or the first byte of a site. */
static bool may_be_jumped_to(const struct checked *checked, uint32_t place)
{
	uint8_t byte = plan_code_has(&checked->code, place) ? *checked_byte(checked, place) : 0;

	return !(byte & CHECKED_CHANGED) || byte & CHECKED_FIRST;
}

bool check_links(struct checked *checked)
{
	bool good = true;

	if (checked->label_count)
		qsort(checked->labels, checked->label_count, sizeof *checked->labels, by_place);
	for (size_t i = 0; i < checked->link_count; i++) {
		const struct checked_link *link = &checked->links[i];

		if (link->code == PLAN_NOWHERE
				? may_be_jumped_to(checked, link->place)
				: link->place < checked->image.size - 8 && leads_to(checked, link->code, link->place))
			continue;
		good = check_fail(checked, plan_sites(checked->plan)[link->site].at, "a jump in the code leads to another place");
	}
	return good;
}
