/* slowest_tree: what one call called, path by path. For slowest.c and slowest_write.c. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_SLOWEST_TREE_H
#define DWELL_HOST_ANALYSIS_CALLS_SLOWEST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "model/profile/tree.h"

struct slowest_tree {
	struct tree tree; /* its root is the call */
	uint32_t *path;   /* the node of each open call in it, by level; path[0] is the root's */
	size_t depth, capacity;
	bool is_partial;  /* events are missing in it: more calls may have been there, and longer ones */
	bool off_unknown; /* when its thread was off the CPU is not known for all of it */
};

/* among: how many there are: they share memory. False when there is none. */
bool slowest_tree_init(struct slowest_tree *tree, size_t among);
void slowest_tree_clear(struct slowest_tree *tree);

/* A call began or ended at a level, which is 1 for what the call calls itself. Paths that find no room are counted where they were called
 * from. */
void slowest_tree_enter(struct slowest_tree *tree, uint32_t level, uint32_t function);
void slowest_tree_leave(struct slowest_tree *tree, uint32_t level, const struct call *call);

#endif
