/* assemble: writes the planned changes as the bytes of a plan. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_ASSEMBLE_H
#define DWELL_HOST_PLAN_ASSEMBLE_H

#include "plan/emit.h"
#include "plan/plan.h"

/* Sets bytes and memory of the plan. pre: the functions are sorted. Returns false if out of memory. */
bool plan_assemble(struct plan_output *output, const struct plan_code *code, struct plan *plan);

#endif
