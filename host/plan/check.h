/* check: verifies that a plan may be applied to a file, independently of how the plan was made. For tests.
 *
 * 1. Every changed byte is in a function, or in padding that never runs. No two sites share a byte.
 * 2. Whole instructions were moved, and the code of the plan does the same: it has each of them, with its operands and targets,
 *    the gates at the places that the sites give, and then the jump back to the following instruction.
 * 3. Nothing known leads into changed bytes, except to the first of a site: neither jumps that stay in place nor tables, landing
 *    pads, pointers, symbols, or returns from calls. */
#ifndef DWELL_HOST_PLAN_CHECK_H
#define DWELL_HOST_PLAN_CHECK_H

#include "util/bytes.h"
#include "util/diag.h"

/* Returns false if the plan may not be applied; a diag gives the place and the reason. */
bool plan_check(struct bytes file, struct bytes plan, const char *name, struct diag *diag);

#endif
