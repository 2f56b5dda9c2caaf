/* room: finds or makes room for a jump (room.h). */
#include "plan/room.h"

#include "plan/region.h"

#define REACH_BACK 126u /* from the first byte of the jump */
#define REACH_AHEAD 129u

static bool is_in_reach(uint32_t at, uint32_t room)
{
	return room < at ? at - room <= REACH_BACK : room - at <= REACH_AHEAD;
}

/* Marks the room as used. */
static void take_room(const struct plan_code *code, uint32_t room)
{
	for (uint32_t i = 0; i < PLAN_JUMP_BYTES; i++)
		*plan_code_at(code, room + i) |= BYTE_USED;
}

static bool is_room(const struct plan_code *code, uint32_t room)
{
	for (uint32_t i = 0; i < PLAN_JUMP_BYTES; i++)
		if (!plan_byte_is_free(code, room + i))
			return false;
	return true;
}

static bool find_free_room(const struct plan_code *code, uint32_t at, uint32_t *room)
{
	uint32_t low = at - code->low > REACH_BACK ? at - REACH_BACK : code->low;

	for (uint32_t here = low; here <= at + REACH_AHEAD; here++)
		if (is_room(code, here)) {
			take_room(code, here);
			*room = here;
			return true;
		}
	return false;
}

/* Makes room by extending an existing region: the region's jump takes the first five bytes, the next five are the room. */
static bool extend_region(struct plan_work *work, uint32_t at, uint32_t *room)
{
	for (size_t i = 0; i < work->region_count; i++) {
		struct plan_region *old = &work->regions[i], region = *old;

		if (old->leaves_room || old->is_bypassed || old->room != PLAN_NOWHERE || old->kind == DWELL_PLAN_CALL ||
			!is_in_reach(at, old->at + PLAN_JUMP_BYTES) || !plan_region_grow(work, &region, 2 * PLAN_JUMP_BYTES, false))
			continue;
		for (uint32_t k = old->count; k < region.count; k++)
			work->region_of[region.first + k] = (uint32_t)i;
		for (uint32_t byte = old->end; byte < region.end; byte++)
			*plan_code_at(work->code, byte) |= BYTE_USED;
		region.leaves_room = true;
		*old = region;
		*room = region.at + PLAN_JUMP_BYTES;
		return true;
	}
	return false;
}

/* Makes room by a new region: the region's jump takes the first five bytes, the next five are the room. */
static bool make_region(struct plan_work *work, uint32_t at, uint32_t *room)
{
	for (uint32_t i = 0; i < work->insn_count; i++) {
		struct plan_region region = plan_region_begin(work, i);

		if (region.at + PLAN_JUMP_BYTES > at + REACH_AHEAD)
			break;
		/* The new region must not overlap the short jump. */
		if (!is_in_reach(at, region.at + PLAN_JUMP_BYTES) || !plan_insn_can_move(work, i) ||
			!plan_region_grow(work, &region, 2 * PLAN_JUMP_BYTES, false) ||
			(region.at < at + PLAN_SHORT_BYTES && region.end > at))
			continue;
		region.leaves_room = true;
		*room = region.at + PLAN_JUMP_BYTES;
		return plan_region_take(work, &region);
	}
	return false;
}

bool plan_room_find(struct plan_work *work, uint32_t at, uint32_t *room)
{
	return find_free_room(work->code, at, room) || extend_region(work, at, room) || make_region(work, at, room);
}
