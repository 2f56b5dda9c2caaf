/* leave: functions that jump out of the functions that called them, in another way than by libc's longjmp: __builtin_longjmp, exceptions of
 * OCaml. The recorder does not see where such a jump lands. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_LEAVE_H
#define DWELL_HOST_PLAN_LEAVE_H

#include "plan/code.h"

/* Whether the function, or a part of it, loads a stack pointer that is not one of its own frame, and then returns or jumps to an address.
 * One that saves the old stack pointer in memory, and returns, changes to another stack instead, which the recorder sees. */
bool plan_leaves_callers(const struct plan_code *code, const struct plan_entry *entry);

#endif
