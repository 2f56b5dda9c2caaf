#include "model/tree.h"

#include <string.h>

#include "model/function.h"
#include "util/array.h"

static uint64_t child_key(uint32_t parent, uint32_t function)
{
	return (uint64_t)parent << 32 | function;
}

static uint32_t add_node(struct tree *tree, uint32_t function, uint32_t parent)
{
	if (tree->count >= TREE_NODES_MAX || !array_reserve(&tree->nodes, &tree->capacity, tree->count + 1u, sizeof *tree->nodes))
		return TREE_NONE;
	tree->nodes[tree->count] = (struct tree_node){.function = function, .parent = parent};
	return tree->count++;
}

bool tree_init(struct tree *tree)
{
	*tree = (struct tree){0};
	add_node(tree, FUNCTION_NONE, TREE_NONE); /* TREE_NONE itself, so that no node is called 0 */
	tree->root = tree->count ? add_node(tree, FUNCTION_NONE, TREE_NONE) : TREE_NONE;
	return tree->root == TREE_ROOT;
}

void tree_free(struct tree *tree)
{
	free(tree->nodes);
	index_clear(&tree->index);
	*tree = (struct tree){0};
}

void tree_clear(struct tree *tree)
{
	tree->count = TREE_ROOT;
	tree->root = add_node(tree, FUNCTION_NONE, TREE_NONE); /* there is room: it had a root */
	tree->folded_calls = 0;
	index_clear(&tree->index);
}

uint32_t tree_child_slowly(struct tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t hash = index_hash(child_key(parent, function)), item;

	for (uint32_t at = index_first(&tree->index, hash); (item = index_item(&tree->index, at, hash)) != INDEX_END;
		at = index_next(&tree->index, at)) {
		if (item == INDEX_OTHER || tree->nodes[item].parent != parent || tree->nodes[item].function != function)
			continue;
		tree->nodes[parent].recent_child = item;
		return item;
	}
	item = add_node(tree, function, parent);
	if (item == TREE_NONE)
		return TREE_NONE;
	if (!index_put(&tree->index, hash, item)) {
		tree->count--;
		return TREE_NONE;
	}
	tree->nodes[item].next_sibling = tree->nodes[parent].first_child;
	tree->nodes[parent].first_child = item;
	tree->nodes[parent].recent_child = item;
	return item;
}

uint32_t tree_enclose(struct tree *tree, uint32_t function)
{
	uint32_t inner = tree->root, outer = add_node(tree, FUNCTION_NONE, TREE_NONE);

	if (outer == TREE_NONE)
		return TREE_NONE;
	if (!index_put(&tree->index, index_hash(child_key(outer, function)), inner)) {
		tree->count--;
		return TREE_NONE;
	}
	tree->nodes[inner].function = function;
	tree->nodes[inner].parent = outer;
	tree->nodes[outer].first_child = inner;
	tree->root = outer;
	return inner;
}

/* Where a walk goes on behind the whole subtree of node. */
static uint32_t next_beside(const struct tree *tree, uint32_t node, uint32_t top)
{
	for (; node != top; node = tree->nodes[node].parent)
		if (tree->nodes[node].next_sibling)
			return tree->nodes[node].next_sibling;
	return TREE_NONE;
}

uint32_t tree_next(const struct tree *tree, uint32_t node, uint32_t top)
{
	uint32_t child = tree->nodes[node].first_child;

	return child ? child : next_beside(tree, node, top);
}

uint64_t tree_total_of(const struct tree *tree, uint32_t function)
{
	uint64_t total = 0;

	for (uint32_t node = tree_next(tree, tree->root, tree->root); node != TREE_NONE;) {
		if (tree->nodes[node].function != function) {
			node = tree_next(tree, node, tree->root);
			continue;
		}
		total += tree->nodes[node].total;
		node = next_beside(tree, node, tree->root);
	}
	return total;
}

bool tree_merge(struct tree *into, const struct tree *from)
{
	uint32_t *same = malloc(from->count * sizeof *same); /* which node of into a node of from is */

	if (!same)
		return false;
	same[from->root] = into->root;
	into->nodes[into->root].self += from->nodes[from->root].self;
	for (uint32_t at = from->root; (at = tree_next(from, at, from->root)) != TREE_NONE;) {
		const struct tree_node *node = &from->nodes[at];
		uint32_t parent = same[node->parent], child = tree_child(into, parent, node->function);

		same[at] = child ? child : parent;
		into->nodes[same[at]].self += node->self;
		if (child) {
			into->nodes[child].calls += node->calls;
			into->nodes[child].total += node->total;
		} else {
			into->folded_calls += node->calls;
		}
	}
	into->folded_calls += from->folded_calls;
	free(same);
	return true;
}
