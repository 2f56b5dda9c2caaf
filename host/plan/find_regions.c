/* find_regions: chooses the regions of a function (find_regions.h). */
#include "plan/find_regions.h"

#include "plan/flags.h"
#include "plan/region.h"
#include "plan/room.h"

/* Extends the region backwards by one instruction. */
static bool grow_back(const struct plan_work *work, struct plan_region *region, bool may_redirect)
{
	uint32_t before = region->first - 1;

	if (!region->first || !plan_work_is_next(work, before) || plan_insn_ends_flow(&work->insns[before]) ||
		!plan_insn_can_move(work, before) || plan_byte_is_target(work, region->at, may_redirect))
		return false;
	region->first = before;
	region->count++;
	region->at = work->insns[before].at;
	return true;
}

/* Chooses a region of at least `bytes` bytes around instruction i, with as few instructions before i as possible. Returns
 * false without room. The parameters are as for plan_region_grow. */
static bool choose_around(const struct plan_work *work, uint32_t i, uint32_t bytes, bool may_redirect, struct plan_region *region)
{
	struct plan_region base = plan_region_begin(work, i);

	if (!plan_insn_can_move(work, i))
		return false;
	for (;;) {
		*region = base;
		if (plan_region_grow(work, region, bytes, may_redirect))
			return true;
		if (!grow_back(work, &base, may_redirect))
			return false;
	}
}

static void drop_region(struct plan_work *work, const struct plan_region *region)
{
	for (uint32_t at = region->at; at < region->end; at++)
		*plan_code_at(work->code, at) &= (uint8_t)~BYTE_USED;
	for (uint32_t k = 0; k < region->count; k++)
		work->region_of[region->first + k] = WORK_NONE;
}

void plan_regions_drop(struct plan_work *work)
{
	for (size_t i = 0; i < work->region_count; i++) {
		const struct plan_region *region = &work->regions[i];

		for (uint32_t k = 0; region->room != PLAN_NOWHERE && k < PLAN_JUMP_BYTES; k++)
			*plan_code_at(work->code, region->room + k) &= (uint8_t)~BYTE_USED;
		drop_region(work, region);
	}
	work->region_count = 0;
}

/* Effort to spend on finding room; each value includes the previous values. */
enum effort {
	EFFORT_LONG, /* a jump of five bytes */
	EFFORT_SHORT, /* or a short jump, into room within its reach */
	EFFORT_REDIRECT, /* or redirecting the jumps into the region */
};

/* Takes a region with a short jump. Takes the region before searching for room, so that the room is never inside the
 * region. Returns false without room, or if out of memory (*bad). */
static bool take_short(struct plan_work *work, struct plan_region *region, bool *bad)
{
	size_t index = work->region_count;
	uint32_t room;

	region->room = region->at; /* placeholder until the room is found */
	if (!plan_region_take(work, region)) {
		*bad = true;
		return false;
	}
	if (plan_room_find(work, region->at, &room)) {
		work->regions[index].room = room;
		return true;
	}
	drop_region(work, region);
	work->region_count = index;
	return false;
}

/* Extends a region that ends before instruction i up to the end of i. */
static bool join_before(struct plan_work *work, uint32_t i)
{
	uint32_t end = work->insns[i].at + work->insns[i].length;
	struct plan_region *region;

	for (uint32_t k = i; k > 0 && plan_insn_can_move(work, k) && !plan_byte_is_target(work, work->insns[k].at, false); k--) {
		uint32_t index = work->region_of[k - 1];

		if (!plan_work_is_next(work, k - 1) || plan_insn_ends_flow(&work->insns[k - 1]))
			return false;
		if (index == WORK_NONE)
			continue;
		region = &work->regions[index];
		if (region->kind == DWELL_PLAN_CALL || region->is_bypassed || region->leaves_room)
			return false;
		for (uint32_t at = region->end; at < end; at++)
			*plan_code_at(work->code, at) |= BYTE_USED;
		for (; k <= i; k++)
			work->region_of[k] = index;
		region->count = i - region->first + 1;
		region->end = end;
		return true;
	}
	return false;
}

/* The last resort: moves all code that leads to an exit. The jumps there then lead to the copy, so the original bytes never run. */
static bool bypass_exit(struct plan_work *work, uint32_t i, uint8_t kind, bool *bad)
{
	struct plan_region region = plan_region_begin(work, i);

	if (!plan_insn_ends_flow(&work->insns[i]) || !plan_insn_can_move(work, i) || plan_byte_is_pinned(work, region.at))
		return false;
	while (region.first && plan_work_is_next(work, region.first - 1) && !plan_insn_ends_flow(&work->insns[region.first - 1]))
		if (plan_byte_is_pinned(work, work->insns[region.first - 1].at) || !grow_back(work, &region, true))
			return false;
	region.kind = kind;
	region.is_bypassed = true;
	if (!plan_region_take(work, &region))
		*bad = true;
	return true;
}

/* Takes a region around instruction i, which need not be the first. Returns false without room; *bad: out of memory. */
static bool add_around(struct plan_work *work, uint32_t i, uint8_t kind, enum effort effort, bool *bad)
{
	struct plan_region region;
	bool found = choose_around(work, i, PLAN_JUMP_BYTES, false, &region);

	if (!found && join_before(work, i))
		return true;
	if (!found && effort >= EFFORT_SHORT && choose_around(work, i, PLAN_SHORT_BYTES, false, &region)) {
		region.kind = kind;
		if (take_short(work, &region, bad))
			return true;
	}
	if (!found && effort >= EFFORT_REDIRECT)
		found = choose_around(work, i, PLAN_JUMP_BYTES, true, &region);
	if (!found && effort >= EFFORT_REDIRECT && bypass_exit(work, i, kind, bad))
		return true;
	region.kind = kind;
	if (found && !plan_region_take(work, &region))
		*bad = true;
	return found;
}

/* Returns whether a jump to the target must change: the target is the function's start, or has moved. The first byte of a region
 * still leads to the moved code, except in a bypassed region. */
static bool is_moved_target(const struct plan_work *work, uint32_t target)
{
	uint32_t i = plan_work_find(work, target);
	const struct plan_region *region;

	if (target == work->start || target == work->body)
		return true;
	if (i == WORK_NONE || work->region_of[i] == WORK_NONE)
		return false;
	region = &work->regions[work->region_of[i]];
	return (target != region->at || region->is_bypassed) && region->kind != DWELL_PLAN_CALL;
}

/* Moves the jumps into moved instructions, or to the entry, so that the jumps lead to the new positions. */
static bool redirect_jumps(struct plan_work *work, bool *bad)
{
	for (uint32_t i = 0; i < work->insn_count; i++)
		if (plan_insn_is_branch(&work->insns[i]) && work->region_of[i] == WORK_NONE &&
			is_moved_target(work, work->insns[i].target) && !add_around(work, i, DWELL_PLAN_DETOUR, EFFORT_SHORT, bad))
			return false;
	return true;
}

/* Returns whether the function jumps back to its entry. */
static bool jumps_to_entry(const struct plan_work *work)
{
	for (uint32_t i = 0; i < work->insn_count; i++)
		if (plan_insn_is_branch(&work->insns[i]) &&
			(work->insns[i].target == work->start || work->insns[i].target == work->body))
			return true;
	return false;
}

/* Finds a call among the first bytes, which every path through the function reaches. */
static bool choose_call(const struct plan_work *work, struct plan_region *region)
{
	uint32_t i = plan_work_find(work, work->body);

	for (; work->insns[i].kind != INSN_CALL; i++)
		if ((work->insns[i].kind != INSN_PLAIN && work->insns[i].kind != INSN_NOP) || !plan_work_is_next(work, i) ||
			plan_byte_is_target(work, work->insns[i + 1].at, false) ||
			work->insns[i + 1].at - work->body >= PLAN_JUMP_BYTES)
			return false;
	*region = plan_region_begin(work, i);
	region->kind = DWELL_PLAN_CALL;
	return !plan_insn_has_inner_target(work, &work->insns[i]) && work->insns[i].length == PLAN_JUMP_BYTES &&
	       !plan_byte_is_used(work, region->at) && work->insns[i].target != PLAN_NOWHERE &&
	       !plan_flags_are_passed(work->code, work->insns[i].target) &&
	       (work->insns[i].target == work->start || plan_work_find(work, work->insns[i].target) == WORK_NONE);
}

static enum plan_reason choose_entry(struct plan_work *work, enum effort effort)
{
	uint32_t first = plan_work_find(work, work->body);
	struct plan_region region = plan_region_begin(work, first);
	bool looped = jumps_to_entry(work), found, bad = false;

	if ((looped && effort == EFFORT_LONG) || (work->body != work->start && plan_byte_is_pinned(work, work->body)))
		return PLAN_ENTRY_JUMPED_TO;
	found = plan_insn_can_move(work, first) && plan_region_grow(work, &region, PLAN_JUMP_BYTES, false);
	if (!found && !looped && choose_call(work, &region))
		return plan_region_take(work, &region) ? PLAN_TIMED : PLAN_REASONS;
	if (!found && plan_insn_can_move(work, first) && effort >= EFFORT_SHORT) {
		region = plan_region_begin(work, first);
		region.kind = DWELL_PLAN_ENTRY;
		if (plan_region_grow(work, &region, PLAN_SHORT_BYTES, false) && take_short(work, &region, &bad))
			return PLAN_TIMED;
	}
	if (!found && plan_insn_can_move(work, first) && effort >= EFFORT_REDIRECT) {
		region = plan_region_begin(work, first);
		found = plan_region_grow(work, &region, PLAN_JUMP_BYTES, true);
	}
	if (!found)
		return bad ? PLAN_REASONS : PLAN_NO_ROOM_AT_ENTRY;
	region.kind = DWELL_PLAN_ENTRY;
	return plan_region_take(work, &region) ? PLAN_TIMED : PLAN_REASONS;
}

/* Chooses all regions with one effort. Drops all regions if the function lacks room for a region. */
static enum plan_reason choose_regions(struct plan_work *work, bool is_timed, enum effort effort)
{
	enum plan_reason reason = choose_entry(work, effort);
	bool bad = false;

	if (reason == PLAN_TIMED && effort >= EFFORT_SHORT && !redirect_jumps(work, &bad))
		reason = PLAN_ENTRY_JUMPED_TO;
	for (uint32_t i = 0; is_timed && reason == PLAN_TIMED && i < work->insn_count; i++)
		if (work->exits[i] != EXIT_NONE && work->region_of[i] == WORK_NONE &&
			!add_around(work, i, work->exits[i] == EXIT_RETURN ? DWELL_PLAN_RETURN : DWELL_PLAN_TAIL, effort, &bad))
			reason = PLAN_NO_ROOM_AT_EXIT;
	if (reason == PLAN_TIMED && effort >= EFFORT_REDIRECT && !redirect_jumps(work, &bad))
		reason = PLAN_NO_ROOM_AT_EXIT;
	if (bad)
		reason = PLAN_REASONS;
	if (reason != PLAN_TIMED)
		plan_regions_drop(work);
	return reason;
}

enum plan_reason plan_regions_choose(struct plan_work *work, bool is_timed, bool is_second_round)
{
	enum plan_reason reason = choose_regions(work, is_timed, EFFORT_LONG);

	if (reason == PLAN_TIMED || reason == PLAN_REASONS || !is_second_round)
		return reason;
	reason = choose_regions(work, is_timed, EFFORT_SHORT);
	if (reason == PLAN_TIMED || reason == PLAN_REASONS)
		return reason;
	return choose_regions(work, is_timed, EFFORT_REDIRECT);
}
