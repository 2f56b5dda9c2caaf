/* slowest_tree: adds the callees of one call to a tree of paths. */
#include "analysis/calls/slowest_tree.h"

#include <stdlib.h>

#include "util/array.h"

#define NODES_OF_ALL (1u << 20) /* nodes shared by all calls' trees */
#define NODES_MAX (1u << 15)
#define NODES_MIN 256u

bool slowest_tree_init(struct slowest_tree *tree, size_t tree_count)
{
	size_t nodes = NODES_OF_ALL / tree_count;

	*tree = (struct slowest_tree){.room.limit = nodes < NODES_MIN ? NODES_MIN : nodes < NODES_MAX ? nodes : NODES_MAX};
	return tree_init(&tree->tree, &tree->room);
}

void slowest_tree_clear(struct slowest_tree *tree)
{
	tree_free(&tree->tree);
	free(tree->path);
	*tree = (struct slowest_tree){0};
}

/* Makes room for another path. Open paths stay. */
static void prune(struct slowest_tree *tree, uint32_t level)
{
	if (tree_is_due(&tree->tree))
		tree_prune(&tree->tree, tree->path, level);
}

void slowest_tree_enter(struct slowest_tree *tree, uint32_t level, uint32_t function)
{
	if (!array_reserve(&tree->path, &tree->capacity, (size_t)level + 1, sizeof *tree->path))
		return;
	tree->path[0] = tree->tree.root;
	while (tree->depth + 1 < level) { /* memory ran out for these levels */
		tree->depth++;
		tree->path[tree->depth] = tree_other(&tree->tree, tree->tree.root);
	}
	if (!tree_is_other(&tree->tree, tree->path[level - 1]) && !tree_child(&tree->tree, tree->path[level - 1], function))
		prune(tree, level);
	tree->path[level] = tree_path(&tree->tree, tree->path[level - 1], function);
	tree->depth = level;
}

void slowest_tree_leave(struct slowest_tree *tree, uint32_t level, const struct call *call)
{
	uint32_t node;

	if (level > tree->depth)
		return;
	node = tree->path[level];
	tree->is_partial |= (call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP)) != 0;
	tree->off_cpu_unknown |= call->total_off.unknown_ticks || call->off_cpu_unknown;
	tree->off_cpu_unknown |= !tree_add_off(
		&tree->tree, node, tree_is_other(&tree->tree, node) ? &call->self_off : &call->total_off, &call->self_off);
	tree_add(&tree->tree, node, 1, call->total_ticks, call->self_ticks);
	tree->depth = level - 1;
}
