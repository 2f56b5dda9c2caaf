/* group: which unwind entries are functions, and which are parts of others. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_GROUP_H
#define DWELL_HOST_PLAN_GROUP_H

#include "plan/code.h"

/* Sets is_function, group and next of each entry. Jump tables are known by now. False: no memory. */
bool plan_group(struct plan_code *code);

#endif
