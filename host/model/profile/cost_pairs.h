/* cost_pairs: subtracts the cost of recording from a tree of pairs of functions (tree_pairs.h). For cost.c.
 *
 * The cost subtracted from a function's self is divided among the pairs with this callee, in proportion to calls, up to each pair's
 * time on the CPU. The cost subtracted from its total is divided in proportion to totals. */
#ifndef DWELL_HOST_MODEL_PROFILE_COST_PAIRS_H
#define DWELL_HOST_MODEL_PROFILE_COST_PAIRS_H

#include <stdbool.h>

#include "model/profile/profile.h"

/* pre: the functions are net. False: no memory: nothing is subtracted. */
bool cost_take_from_pairs(struct profile *profile);

#endif
