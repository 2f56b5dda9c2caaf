/* leave: functions that jump out of their callers by other means than libc's longjmp: __builtin_longjmp, exceptions of OCaml. The
 * recorder cannot detect the landing of such a jump. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_LEAVE_H
#define DWELL_HOST_PLAN_LEAVE_H

#include "plan/code.h"

/* Finds the entries whose code loads a stack pointer from outside its own frame, and then returns or jumps to an address. If a
 * function saves the old stack pointer in memory and returns, it changes stacks instead, which the recorder detects. pre:
 * plan_find_jump_targets has classified the jumps. */
void plan_leave_find(struct plan_code *code);
/* Returns whether the function, or a part of it, has such code. */
bool plan_leaves_callers(const struct plan_code *code, const struct plan_entry *entry);

#endif
