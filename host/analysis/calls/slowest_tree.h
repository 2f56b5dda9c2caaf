/* slowest_tree: the callees of one of the slowest calls, as a tree of paths. For slowest.c and slowest_write.c. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_SLOWEST_TREE_H
#define DWELL_HOST_ANALYSIS_CALLS_SLOWEST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "model/profile/tree.h"

struct slowest_tree {
	struct tree tree; /* its root is the call */
	struct tree_room room;
	uint32_t *path;   /* index: level; the node of each open call. path[0] is the root */
	size_t depth, capacity;
	bool is_partial;  /* events are missing: there may have been more calls, and longer ones */
	bool off_cpu_unknown; /* the thread's time off the CPU is not fully known */
};

/* tree_count: the number of trees, which share a limit of nodes. The tree must not be moved afterwards. False: memory ran out. */
bool slowest_tree_init(struct slowest_tree *tree, size_t tree_count);
void slowest_tree_clear(struct slowest_tree *tree);

/* A call began, or ended, at a level below the slow call; level 1 is a direct callee. Paths without room count as (other) under
 * their caller. */
void slowest_tree_enter(struct slowest_tree *tree, uint32_t level, uint32_t function);
void slowest_tree_leave(struct slowest_tree *tree, uint32_t level, const struct call *call);

#endif
