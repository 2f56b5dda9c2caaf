/* region: instructions of a function that move together, and the conditions for moving an instruction. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_REGION_H
#define DWELL_HOST_PLAN_REGION_H

#include "plan/work.h"

#define PLAN_JUMP_BYTES 5u
#define PLAN_SHORT_BYTES 2u

/* begin returns a region of the single instruction i. grow extends it to at least `bytes` bytes, by the following
 * instructions and unused bytes; redirect: jumps into the region can be redirected. It returns false if there is no room.
 * take adds the region to the function's; false: out of memory. */
struct plan_region plan_region_begin(const struct plan_work *work, uint32_t i);
bool plan_region_grow(const struct plan_work *work, struct plan_region *region, uint32_t bytes, bool redirect);
bool plan_region_take(struct plan_work *work, const struct plan_region *region);
/* Returns whether the byte never runs, and no plan has taken it. */
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
/* Returns whether something leads there; redirect: whether a jump there cannot be redirected. */
static inline bool plan_byte_is_held(const struct plan_work *work, uint32_t at, bool redirect)
{
	return redirect ? plan_byte_is_pinned(work, at) : (*plan_code_at(work->code, at) & BYTE_TARGET) != 0;
}

/* Returns whether a jump or call leads into the middle of an instruction. Pointers
 * do not count: they are numbers with the value of an address. */
bool plan_insn_is_crossed(const struct plan_work *work, const struct plan_insn *insn);
/* Returns whether instruction i may move, and no plan uses it yet. */
bool plan_insn_can_move(const struct plan_work *work, uint32_t i);

#endif
