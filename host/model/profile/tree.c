#include "model/profile/tree.h"

#include <string.h>

#include "model/function/function.h"
#include "model/profile/histogram.h"
#include "util/array.h"

static uint64_t child_key(uint32_t parent, uint32_t function)
{
	return (uint64_t)parent << 32 | function;
}

static uint32_t add_node(struct tree *tree, uint32_t function, uint32_t parent)
{
	if (tree_is_full(tree) || !array_reserve(&tree->nodes, &tree->capacity, tree->count + 1u, sizeof *tree->nodes))
		return TREE_NONE;
	tree->nodes[tree->count] = (struct tree_node){.function = function, .parent = parent};
	return tree->count++;
}

bool tree_init(struct tree *tree, uint32_t limit)
{
	*tree = (struct tree){.limit = limit};
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

/* What TREE_NONE is followed by stays none: its function is none, and never asked for. */
static void tell_asked(struct tree *tree, uint32_t parent, uint32_t child)
{
	if (tree->nodes[parent].recent_child)
		tree->nodes[tree->nodes[parent].recent_child].follower = child;
	tree->nodes[parent].recent_child = child;
}

uint32_t tree_child_slowly(struct tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t hash = index_hash(child_key(parent, function)), item;

	for (uint32_t at = index_first(&tree->index, hash); (item = index_item(&tree->index, at, hash)) != INDEX_END;
		at = index_next(&tree->index, at)) {
		if (item == INDEX_OTHER || tree->nodes[item].parent != parent || tree->nodes[item].function != function)
			continue;
		tell_asked(tree, parent, item);
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
	tell_asked(tree, parent, item);
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

uint32_t tree_next_beside(const struct tree *tree, uint32_t node, uint32_t top)
{
	for (; node != top; node = tree->nodes[node].parent)
		if (tree->nodes[node].next_sibling)
			return tree->nodes[node].next_sibling;
	return TREE_NONE;
}

uint32_t tree_next(const struct tree *tree, uint32_t node, uint32_t top)
{
	uint32_t child = tree->nodes[node].first_child;

	return child ? child : tree_next_beside(tree, node, top);
}

/* Where there are no calls, weights and samples, it is one path. */
static uint64_t folded(const struct tree_node *node)
{
	return node->calls + (!node->calls && node->total);
}

bool tree_merge(struct tree *into, const struct tree *from)
{
	uint32_t *same = malloc(from->count * sizeof *same); /* which node of into a node of from is */

	if (into->count > into->limit / 2) {
		if (into->patience <= from->count)
			tree_prune(into, NULL, 0);
		else
			into->patience -= from->count;
	}
	if (!same)
		return false;
	same[from->root] = into->root;
	into->nodes[into->root].self += from->nodes[from->root].self;
	into->nodes[into->root].self_off += from->nodes[from->root].self_off;
	for (uint32_t at = from->root; (at = tree_next(from, at, from->root)) != TREE_NONE;) {
		const struct tree_node *node = &from->nodes[at];
		uint32_t parent = same[node->parent], child = tree_child(into, parent, node->function);

		same[at] = child ? child : parent;
		into->nodes[same[at]].self += node->self;
		into->nodes[same[at]].self_off += node->self_off;
		if (child) {
			into->nodes[child].calls += node->calls;
			into->nodes[child].total += node->total;
			into->nodes[child].total_off += node->total_off;
		} else {
			into->folded_calls += folded(node);
		}
	}
	into->folded_calls += from->folded_calls;
	free(same);
	return true;
}

bool tree_join(struct tree *into, const struct tree *from, uint32_t *nodes, size_t count)
{
	uint32_t *same = malloc(from->count * sizeof *same);
	bool room = same;

	if (room) {
		same[from->root] = into->root;
		into->nodes[into->root].self += from->nodes[from->root].self;
		into->nodes[into->root].self_off += from->nodes[from->root].self_off;
	}
	for (uint32_t at = from->root; room && (at = tree_next(from, at, from->root)) != TREE_NONE;) {
		const struct tree_node *node = &from->nodes[at];
		uint32_t child = tree_child(into, same[node->parent], node->function);

		room = child != TREE_NONE;
		same[at] = child;
		into->nodes[child].self += node->self;
		into->nodes[child].calls += node->calls;
		into->nodes[child].total += node->total;
		into->nodes[child].self_off += node->self_off;
		into->nodes[child].total_off += node->total_off;
	}
	for (size_t i = 0; room && i < count; i++)
		nodes[i] = same[nodes[i]];
	into->folded_calls += from->folded_calls;
	free(same);
	return room;
}

/* Half of the nodes that are not marked have at most this much time. */
static uint64_t median_total(const struct tree *tree, const uint32_t *marks)
{
	struct histogram totals = {0};
	uint64_t median;

	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		if (!marks[at])
			histogram_add(&totals, tree->nodes[at].total);
	median = histogram_percentile(&totals, 0.5);
	histogram_clear(&totals);
	return median + median / HISTOGRAM_STEPS + 1; /* the whole bucket */
}

static void mark_path(const struct tree *tree, uint32_t *marks, uint32_t at)
{
	for (; at != TREE_NONE && !marks[at]; at = tree->nodes[at].parent)
		marks[at] = 1;
}

/* Moves the marked nodes together and turns marks into their new numbers; those that go add their time to the one they were called
 * from. */
static void compact(struct tree *tree, uint32_t *marks)
{
	uint32_t kept = TREE_ROOT;

	for (uint32_t at = TREE_ROOT; at < tree->count; at++) {
		const struct tree_node *node = &tree->nodes[at];
		uint32_t above = node->parent;

		if (marks[at])
			continue;
		while (!marks[above])
			above = tree->nodes[above].parent;
		tree->nodes[above].self += node->self;
		tree->nodes[above].self_off += node->self_off;
		tree->folded_calls += folded(node);
	}
	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		if (marks[at])
			marks[at] = kept++;
	for (uint32_t at = TREE_ROOT; at < tree->count; at++) {
		struct tree_node *node = &tree->nodes[marks[at]];

		if (!marks[at])
			continue;
		*node = tree->nodes[at];
		node->parent = marks[node->parent];
		node->first_child = node->next_sibling = node->recent_child = node->follower = TREE_NONE;
	}
	tree->root = marks[tree->root];
	tree->count = kept;
}

/* Children lists and index anew. */
static bool link_nodes(struct tree *tree)
{
	index_clear(&tree->index);
	for (uint32_t at = TREE_ROOT; at < tree->count; at++) {
		struct tree_node *node = &tree->nodes[at];

		if (node->parent == TREE_NONE)
			continue;
		node->next_sibling = tree->nodes[node->parent].first_child;
		tree->nodes[node->parent].first_child = at;
		if (!index_put(&tree->index, index_hash(child_key(node->parent, node->function)), at))
			return false;
	}
	return true;
}

bool tree_prune(struct tree *tree, uint32_t *nodes, size_t count)
{
	uint32_t *marks, before = tree->count;
	uint64_t median;

	marks = calloc(tree->count, sizeof *marks); /* marks[TREE_NONE] stays 0 */
	if (!marks)
		return false;
	mark_path(tree, marks, tree->root);
	for (size_t i = 0; i < count; i++)
		mark_path(tree, marks, nodes[i]);
	median = median_total(tree, marks);
	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		if (tree->nodes[at].total > median)
			mark_path(tree, marks, at);
	compact(tree, marks);
	for (size_t i = 0; i < count; i++)
		nodes[i] = marks[nodes[i]];
	free(marks);
	tree->patience = before - tree->count < before / 8 ? tree->limit : 1;
	return link_nodes(tree) && !tree_is_full(tree);
}

bool tree_renumber(struct tree *tree, const uint32_t *map, size_t count)
{
	for (uint32_t at = TREE_ROOT; at < tree->count; at++) {
		struct tree_node *node = &tree->nodes[at];

		node->first_child = node->next_sibling = TREE_NONE;
		if (node->function < count)
			node->function = map[node->function];
	}
	return link_nodes(tree);
}
