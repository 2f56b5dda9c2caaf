/* frame: where callers' registers are at a place, by the unwind tables. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FRAME_H
#define DWELL_HOST_PLAN_FRAME_H

#include "plan/code.h"
#include "unwind/rule.h"

/* False: the tables make no sense there. */
bool plan_frame_at(const struct plan_code *code, const struct plan_entry *entry, uint32_t at, struct rule *rule);
/* Whether the return address is on top of the stack there, as it is at a function's first instruction, and when it is left. */
bool plan_frame_is_bare(const struct plan_code *code, const struct plan_entry *entry, uint32_t at);
/* Whether the stack is as deep at both places. */
bool plan_frame_is_same(
	const struct plan_code *code, const struct plan_entry *a, uint32_t at_a, const struct plan_entry *b, uint32_t at_b);

#endif
