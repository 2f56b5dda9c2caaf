/* region: instructions of a function that move together into the plan's code, and the conditions for moving an instruction. The
 * files that choose regions (find_regions.c, room.c) use these functions. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_REGION_H
#define DWELL_HOST_PLAN_REGION_H

#include "plan/work.h"

#define PLAN_JUMP_BYTES 5u /* size of a long jump, with a distance of 32 bits */
#define PLAN_SHORT_BYTES 2u /* size of a short jump, with a distance of 8 bits */

/* Returns a region of instruction i alone. The region does not belong to the function until plan_region_take. */
struct plan_region plan_region_begin(const struct plan_work *work, uint32_t i);
/* Extends the region to at least `bytes` bytes, by the instructions and unused bytes after the region. may_redirect: jumps into the
 * region do not matter, since the caller redirects them. Returns false if the function has no room; the region may then have grown
 * in part. */
bool plan_region_grow(const struct plan_work *work, struct plan_region *region, uint32_t bytes, bool may_redirect);
/* Adds the region to the function's regions, and marks the bytes as used. Returns false if out of memory. */
bool plan_region_take(struct plan_work *work, const struct plan_region *region);
/* Returns whether the byte never runs, and no region uses the byte yet. */
static inline bool plan_byte_is_free(const struct plan_code *code, uint32_t at)
{
	return plan_code_has(code, at) && (*plan_code_at(code, at) & (BYTE_FREE | BYTE_USED | BYTE_TARGET)) == BYTE_FREE;
}

static inline bool plan_byte_is_used(const struct plan_work *work, uint32_t at)
{
	return *plan_code_at(work->code, at) & BYTE_USED;
}
static inline bool plan_byte_is_pinned(const struct plan_work *work, uint32_t at)
{
	return *plan_code_at(work->code, at) & BYTE_PINNED;
}
/* Returns whether a jump, pointer or symbol leads to the byte. may_redirect: jumps that a plan can redirect do not count. */
static inline bool plan_byte_is_target(const struct plan_work *work, uint32_t at, bool may_redirect)
{
	return may_redirect ? plan_byte_is_pinned(work, at) : (*plan_code_at(work->code, at) & BYTE_TARGET) != 0;
}

/* Returns whether a jump or call leads into the middle of an instruction. Pointers
 * do not count: they are numbers with the value of an address. */
bool plan_insn_has_inner_target(const struct plan_work *work, const struct plan_insn *insn);
/* Returns whether instruction i may move, and no plan uses it yet. */
bool plan_insn_can_move(const struct plan_work *work, uint32_t i);

#endif
