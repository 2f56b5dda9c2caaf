/* group: divides the unwind entries into functions and parts of functions. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_GROUP_H
#define DWELL_HOST_PLAN_GROUP_H

#include "plan/code.h"

/* Sets is_function, group and next of each entry. pre: the jump tables are found. Returns false if out of memory. */
bool plan_group(struct plan_code *code);

#endif
