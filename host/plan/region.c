/* region: grows regions and checks which instructions can move (region.h). */
#include "plan/region.h"

#include "util/array.h"

static bool is_movable(const struct plan_insn *insn)
{
	switch (insn->kind) {
	case INSN_CALL:
	case INSN_CALL_INDIRECT:
	case INSN_STOP:
	case INSN_IMMOVABLE:
		return false;
	default:
		return !insn->relative_at || insn->target != PLAN_NOWHERE;
	}
}

bool plan_insn_has_inner_target(const struct plan_work *work, const struct plan_insn *insn)
{
	for (uint32_t at = insn->at + 1; at < insn->at + insn->length; at++) {
		uint8_t flags = *plan_code_at(work->code, at);

		if (flags & (BYTE_FIXED | BYTE_CALLED) || (flags & BYTE_TARGET && !(flags & BYTE_PINNED)))
			return true;
	}
	return false;
}

/* Returns whether an exception thrown by the instruction lands in its function: the
 * unwinder would not find the landing pad from the plan's code. */
static bool is_guarded(const struct plan_work *work, const struct plan_insn *insn)
{
	return insn->may_fault && plan_spans_find(&work->code->guarded, insn->at);
}

bool plan_insn_can_move(const struct plan_work *work, uint32_t i)
{
	return is_movable(&work->insns[i]) && !plan_byte_is_used(work, work->insns[i].at) &&
	       !plan_insn_has_inner_target(work, &work->insns[i]) && !is_guarded(work, &work->insns[i]);
}

/* Counts the unused bytes from a place on, up to `most`. */
static uint32_t count_free(const struct plan_work *work, uint32_t at, uint32_t most)
{
	uint32_t count = 0;

	while (count < most && plan_byte_is_free(work->code, at + count))
		count++;
	return count;
}

bool plan_region_grow(const struct plan_work *work, struct plan_region *region, uint32_t bytes, bool may_redirect)
{
	while (region->end - region->at < bytes) {
		uint32_t last = region->first + region->count - 1, lacking = bytes - (region->end - region->at);

		if (plan_insn_ends_flow(&work->insns[last])) {
			region->end += count_free(work, region->end, lacking);
			return region->end - region->at >= bytes;
		}
		if (!plan_work_is_next(work, last) || !plan_insn_can_move(work, last + 1) ||
			plan_byte_is_target(work, region->end, may_redirect))
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
