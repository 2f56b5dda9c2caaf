/* check: whether a plan may be applied to a file, found out again and in another way than it was made. For tests.
 *
 * 1. Every byte that changes is in a function, or in padding that nobody runs. No two sites share one.
 * 2. What was moved are whole instructions, and the code of the plan does the same: each of them, with its operands and targets, gates at
 *    the places that sites tell, and then the way back to what follows.
 * 3. Nothing that is known leads into changed bytes other than the first: jumps that stay where they are, tables, landing pads, pointers,
 *    symbols, returns from calls. */
#ifndef DWELL_HOST_PLAN_CHECK_H
#define DWELL_HOST_PLAN_CHECK_H

#include "util/bytes.h"
#include "util/diag.h"

/* False: it may not, and a diag says where and why. */
bool plan_check(struct bytes file, struct bytes plan, const char *name, struct diag *diag);

#endif
