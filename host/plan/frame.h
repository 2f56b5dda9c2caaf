/* frame: the unwind rules at a place: where the caller's registers are. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FRAME_H
#define DWELL_HOST_PLAN_FRAME_H

#include "plan/code.h"
#include "unwind/rule.h"

/* Returns false if the tables are unusable there. */
bool plan_frame_at(const struct plan_code *code, const struct plan_entry *entry, uint32_t at, struct rule *rule);
/* Returns whether the return address is on top of the stack, as at a function's first instruction and at its exits. */
bool plan_frame_is_bare(const struct plan_code *code, const struct plan_entry *entry, uint32_t at);
/* Returns whether the stack has the same depth at both places. */
bool plan_frame_is_same(
	const struct plan_code *code, const struct plan_entry *a, uint32_t at_a, const struct plan_entry *b, uint32_t at_b);

#endif
