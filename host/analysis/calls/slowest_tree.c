#include "analysis/calls/slowest_tree.h"

#include <stdlib.h>

#include "util/array.h"

#define NODES_OF_ALL (1u << 20) /* some 60 bytes each, where calls have so many paths */
#define NODES_MIN 256u
#define FOLDED (1u << 31) /* in a path: its path found no room, the node is that of a caller */

bool slowest_tree_init(struct slowest_tree *tree, size_t among)
{
	size_t nodes = NODES_OF_ALL / among;

	if (nodes > TREE_NODES_OF_THREAD)
		nodes = TREE_NODES_OF_THREAD;
	*tree = (struct slowest_tree){0};
	return tree_init(&tree->tree, nodes < NODES_MIN ? NODES_MIN : (uint32_t)nodes);
}

void slowest_tree_clear(struct slowest_tree *tree)
{
	tree_free(&tree->tree);
	free(tree->path);
	*tree = (struct slowest_tree){0};
}

/* Room for another path; those that are open stay. */
static bool prune(struct slowest_tree *tree, uint32_t level)
{
	uint32_t *nodes;
	bool room;

	if (!tree_is_due(&tree->tree))
		return false;
	nodes = malloc(level * sizeof *nodes);
	if (!nodes)
		return false;
	for (uint32_t i = 0; i < level; i++)
		nodes[i] = tree->path[i] & ~FOLDED;
	room = tree_prune(&tree->tree, nodes, level);
	for (uint32_t i = 0; i < level; i++)
		tree->path[i] = nodes[i] | (tree->path[i] & FOLDED);
	free(nodes);
	return room;
}

void slowest_tree_enter(struct slowest_tree *tree, uint32_t level, uint32_t function)
{
	uint32_t above, node = TREE_NONE;

	if (!array_reserve(&tree->path, &tree->capacity, (size_t)level + 1, sizeof *tree->path))
		return;
	tree->path[0] = tree->tree.root;
	while (tree->depth + 1 < level) /* there was no memory for these */
		tree->path[++tree->depth] = tree->tree.root | FOLDED;
	above = tree->path[level - 1];
	if (!(above & FOLDED)) {
		node = tree_child(&tree->tree, above, function);
		if (!node && prune(tree, level))
			node = tree_child(&tree->tree, tree->path[level - 1], function);
	}
	tree->path[level] = node ? node : (tree->path[level - 1] | FOLDED);
	tree->depth = level;
}

void slowest_tree_leave(struct slowest_tree *tree, uint32_t level, const struct call *call)
{
	struct tree_node *node;

	if (level > tree->depth)
		return;
	node = &tree->tree.nodes[tree->path[level] & ~FOLDED];
	node->self += call->self_ticks;
	tree->is_partial |= (call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP)) != 0;
	if (tree->path[level] & FOLDED) {
		tree->tree.folded_calls++;
	} else {
		node->calls++;
		node->total += call->total_ticks;
		node->total_off += call->total_off.ticks;
		tree->off_unknown |= call->total_off.unknown_ticks || call->off_unknown;
	}
	tree->depth = level - 1;
}
