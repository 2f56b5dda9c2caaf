/* tree_pairs: a tree of pairs of functions: how often one function called another, and for how long, on any path.
 *
 * The root's children are functions; each has as children the functions called from it, anywhere. So the number of nodes is
 * bounded by the number of calls in the program's code. A child of the root has the function's outermost calls. A pair's
 * total leaves out calls inside of another call of the pair. */
#ifndef DWELL_HOST_MODEL_PROFILE_TREE_PAIRS_H
#define DWELL_HOST_MODEL_PROFILE_TREE_PAIRS_H

#include <stdbool.h>

#include "model/profile/tree.h"

/* Makes a tree of pairs out of a tree of paths, or of a tree that has both. False: no memory, and the tree is unchanged. */
bool tree_make_pairs(struct tree *tree);

#endif
