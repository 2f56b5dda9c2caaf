/* region: which instructions of a function are moved, so that a jump fits where each of its gates has to be. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_REGION_H
#define DWELL_HOST_PLAN_REGION_H

#include "plan/work.h"

#define PLAN_JUMP_BYTES 5u
#define PLAN_SHORT_BYTES 2u

/* Chooses the regions of a function: at its entry, and if it is timed at all its exits. What it takes is marked as used. Returns
 * PLAN_TIMED, or why there is no room: then nothing is taken. is_hard: it may take room between functions, and lead jumps elsewhere; for
 * those that need it, when all others have what they need. */
enum plan_reason plan_regions_choose(struct plan_work *work, bool is_timed, bool is_hard);
/* Gives back what was taken. */
void plan_regions_drop(struct plan_work *work);

/* A region of one instruction; one with at least so many bytes, by instructions behind it and what is free. redirect: jumps into it can be
 * led elsewhere. And taking it, as one of the function's. */
struct plan_region plan_region_begin(const struct plan_work *work, uint32_t i);
bool plan_region_grow(const struct plan_work *work, struct plan_region *region, uint32_t bytes, bool redirect);
bool plan_region_take(struct plan_work *work, const struct plan_region *region);
/* Whether instruction i may stand elsewhere, and no plan has it. */
bool plan_insn_can_move(const struct plan_work *work, uint32_t i);

#endif
