/* region: see region.h. */
#include "plan/region.h"

#include "plan/room.h"
#include "util/array.h"

static bool is_movable(const struct plan_insn *insn)
{
	switch (insn->kind) {
	case INSN_CALL:
	case INSN_CALL_INDIRECT:
	case INSN_STOP:
	case INSN_STUCK:
		return false;
	default:
		return !insn->relative_at || insn->target != PLAN_NOWHERE;
	}
}

static bool is_used(const struct plan_work *work, uint32_t at)
{
	return *plan_code_at(work->code, at) & BYTE_USED;
}

static bool is_pinned(const struct plan_work *work, uint32_t at)
{
	return *plan_code_at(work->code, at) & BYTE_PINNED;
}

/* Whether something leads there; redirect: that cannot be led elsewhere. */
static bool is_held(const struct plan_work *work, uint32_t at, bool redirect)
{
	if (!redirect)
		return *plan_code_at(work->code, at) & BYTE_TARGET;
	return is_pinned(work, at);
}

/* Whether a jump or call leads between its first byte and its end. Pointers do not: those are numbers that look like one. */
static bool is_crossed(const struct plan_work *work, const struct plan_insn *insn)
{
	for (uint32_t at = insn->at + 1; at < insn->at + insn->length; at++) {
		uint8_t flags = *plan_code_at(work->code, at);

		if (flags & (BYTE_FIXED | BYTE_CALLED) || (flags & BYTE_TARGET && !(flags & BYTE_PINNED)))
			return true;
	}
	return false;
}

/* Where what it throws lands in the function: nobody would find the landing pad from the code of a plan. */
static bool is_guarded(const struct plan_work *work, const struct plan_insn *insn)
{
	return insn->may_fault && plan_spans_find(&work->code->guarded, insn->at);
}

bool plan_insn_can_move(const struct plan_work *work, uint32_t i)
{
	return is_movable(&work->insns[i]) && !is_used(work, work->insns[i].at) && !is_crossed(work, &work->insns[i]) &&
	       !is_guarded(work, &work->insns[i]);
}

/* How many bytes from there on nobody runs, up to so many. */
static uint32_t count_free(const struct plan_work *work, uint32_t at, uint32_t most)
{
	uint32_t count = 0;

	while (count < most && plan_byte_is_free(work->code, at + count))
		count++;
	return count;
}

bool plan_region_grow(const struct plan_work *work, struct plan_region *region, uint32_t bytes, bool redirect)
{
	while (region->end - region->at < bytes) {
		uint32_t last = region->first + region->count - 1, lacking = bytes - (region->end - region->at);

		if (plan_insn_ends(&work->insns[last])) {
			region->end += count_free(work, region->end, lacking);
			return region->end - region->at >= bytes;
		}
		if (!plan_work_is_next(work, last) || !plan_insn_can_move(work, last + 1) || is_held(work, region->end, redirect))
			return false;
		region->count++;
		region->end += work->insns[last + 1].length;
	}
	return true;
}

struct plan_region plan_region_begin(const struct plan_work *work, uint32_t i)
{
	return (struct plan_region){.first = i,
		.count = 1,
		.at = work->insns[i].at,
		.end = work->insns[i].at + work->insns[i].length,
		.room = PLAN_NOWHERE,
		.kind = DWELL_PLAN_DETOUR};
}

/* The instruction before the region becomes its first. */
static bool grow_back(const struct plan_work *work, struct plan_region *region, bool redirect)
{
	uint32_t before = region->first - 1;

	if (!region->first || !plan_work_is_next(work, before) || plan_insn_ends(&work->insns[before]) ||
		!plan_insn_can_move(work, before) || is_held(work, region->at, redirect))
		return false;
	region->first = before;
	region->count++;
	region->at = work->insns[before].at;
	return true;
}

static bool choose_around(const struct plan_work *work, uint32_t i, uint32_t bytes, bool redirect, struct plan_region *region)
{
	struct plan_region base = plan_region_begin(work, i);

	if (!plan_insn_can_move(work, i))
		return false;
	for (;;) {
		*region = base;
		if (plan_region_grow(work, region, bytes, redirect))
			return true;
		if (!grow_back(work, &base, redirect))
			return false;
	}
}

bool plan_region_take(struct plan_work *work, const struct plan_region *region)
{
	if (!array_reserve(&work->regions, &work->region_capacity, work->region_count + 1, sizeof *work->regions))
		return false;
	for (uint32_t at = region->at; at < region->end; at++)
		*plan_code_at(work->code, at) |= BYTE_USED;
	for (uint32_t i = 0; i < region->count; i++)
		work->region_of[region->first + i] = (uint32_t)work->region_count;
	work->regions[work->region_count++] = *region;
	return true;
}

static void drop_one(struct plan_work *work, const struct plan_region *region)
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
		drop_one(work, region);
	}
	work->region_count = 0;
}

/* How much it may take to find room. */
enum effort {
	EFFORT_LONG, /* a jump of five bytes */
	EFFORT_SHORT, /* or a short one, into room within its reach */
	EFFORT_REDIRECT, /* or jumps into the region are led elsewhere */
};

/* With a short jump. It is taken first, so that the room is elsewhere. False: no room; *bad: no memory. */
static bool take_short(struct plan_work *work, struct plan_region *region, bool *bad)
{
	size_t index = work->region_count;
	uint32_t room;

	region->room = region->at; /* until it is known */
	if (!plan_region_take(work, region)) {
		*bad = true;
		return false;
	}
	if (plan_room_find(work, region->at, &room)) {
		work->regions[index].room = room;
		return true;
	}
	drop_one(work, region);
	work->region_count = index;
	return false;
}

/* A region that ends before an instruction becomes longer, up to its end. */
static bool join_before(struct plan_work *work, uint32_t i)
{
	uint32_t end = work->insns[i].at + work->insns[i].length;
	struct plan_region *region;

	for (uint32_t k = i; k > 0 && plan_insn_can_move(work, k) && !is_held(work, work->insns[k].at, false); k--) {
		uint32_t index = work->region_of[k - 1];

		if (!plan_work_is_next(work, k - 1) || plan_insn_ends(&work->insns[k - 1]))
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

/* The last way out: what leads to an exit is moved, all of it, and goes by the code. */
static bool bypass(struct plan_work *work, uint32_t i, uint8_t kind, bool *bad)
{
	struct plan_region region = plan_region_begin(work, i);

	if (!plan_insn_ends(&work->insns[i]) || !plan_insn_can_move(work, i) || is_pinned(work, region.at))
		return false;
	while (region.first && plan_work_is_next(work, region.first - 1) && !plan_insn_ends(&work->insns[region.first - 1]))
		if (is_pinned(work, work->insns[region.first - 1].at) || !grow_back(work, &region, true))
			return false;
	region.kind = kind;
	region.is_bypassed = true;
	if (!plan_region_take(work, &region))
		*bad = true;
	return true;
}

/* Around an instruction, which need not be the first. False: no room; *bad: no memory. */
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
	if (!found && effort >= EFFORT_REDIRECT && bypass(work, i, kind, bad))
		return true;
	region.kind = kind;
	if (found && !plan_region_take(work, &region))
		*bad = true;
	return found;
}

static bool is_inside(const struct plan_work *work, uint32_t target)
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

/* What jumps into moved instructions, or to the entry, is moved, too: then it leads to where these are now. */
static bool redirect_jumps(struct plan_work *work, bool *bad)
{
	for (uint32_t i = 0; i < work->insn_count; i++)
		if (plan_insn_is_branch(&work->insns[i]) && work->region_of[i] == WORK_NONE &&
			is_inside(work, work->insns[i].target) && !add_around(work, i, DWELL_PLAN_DETOUR, EFFORT_SHORT, bad))
			return false;
	return true;
}

/* Jumps back to where it is entered. */
static bool is_looped(const struct plan_work *work)
{
	for (uint32_t i = 0; i < work->insn_count; i++)
		if (plan_insn_is_branch(&work->insns[i]) &&
			(work->insns[i].target == work->start || work->insns[i].target == work->body))
			return true;
	return false;
}

/* A call among the first bytes, with nothing before it that might not come to it. */
static bool choose_call(const struct plan_work *work, struct plan_region *region)
{
	uint32_t i = plan_work_find(work, work->body);

	for (; work->insns[i].kind != INSN_CALL; i++)
		if ((work->insns[i].kind != INSN_PLAIN && work->insns[i].kind != INSN_NOP) || !plan_work_is_next(work, i) ||
			is_held(work, work->insns[i + 1].at, false) || work->insns[i + 1].at - work->body >= PLAN_JUMP_BYTES)
			return false;
	*region = plan_region_begin(work, i);
	region->kind = DWELL_PLAN_CALL;
	return !is_crossed(work, &work->insns[i]) && work->insns[i].length == PLAN_JUMP_BYTES && !is_used(work, region->at) &&
	       work->insns[i].target != PLAN_NOWHERE &&
	       (work->insns[i].target == work->start || plan_work_find(work, work->insns[i].target) == WORK_NONE);
}

static enum plan_reason choose_entry(struct plan_work *work, enum effort effort)
{
	uint32_t first = plan_work_find(work, work->body);
	struct plan_region region = plan_region_begin(work, first);
	bool looped = is_looped(work), found, bad = false;

	if ((looped && effort == EFFORT_LONG) || (work->body != work->start && is_pinned(work, work->body)))
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

static enum plan_reason choose(struct plan_work *work, bool is_timed, enum effort effort)
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

enum plan_reason plan_regions_choose(struct plan_work *work, bool is_timed, bool is_hard)
{
	enum plan_reason reason = choose(work, is_timed, EFFORT_LONG);

	if (reason == PLAN_TIMED || reason == PLAN_REASONS || !is_hard)
		return reason;
	reason = choose(work, is_timed, EFFORT_SHORT);
	if (reason == PLAN_TIMED || reason == PLAN_REASONS)
		return reason;
	return choose(work, is_timed, EFFORT_REDIRECT);
}
