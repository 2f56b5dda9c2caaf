/* tree: finds and adds paths, prunes a full tree, and joins trees. */
#include "model/profile/tree.h"

#include <stdatomic.h>
#include <string.h>

#include "model/function/function.h"
#include "model/profile/histogram.h"
#include "util/array.h"
#include "util/memory_limit.h"

/* Nodes, with their index, may take one part in so many of memory. The (other) nodes may take as much again. */
#define MEMORY_PART 8u
#define NODE_BYTES 96u
#define NODES_LEAST (1u << 16)
#define NODES_MOST (1u << 24)

/* TREE_NONE: no memory. */
static uint32_t add_node(struct tree *tree, uint32_t function, uint32_t parent)
{
	if (tree->count_max && tree->count >= tree->count_max)
		return TREE_NONE;
	if (!array_reserve(&tree->nodes, &tree->capacity, tree->count + 1u, sizeof *tree->nodes)) {
		tree->count_max = tree->count;
		return TREE_NONE;
	}
	tree->nodes[tree->count] = (struct tree_node){.function = function, .parent = parent};
	tree->others += function == FUNCTION_OTHER;
	tree->room->nodes += function != FUNCTION_OTHER;
	return tree->count++;
}

/* Removes the last node. */
static void remove_last_node(struct tree *tree)
{
	bool is_other = tree_is_other(tree, --tree->count);

	tree->others -= is_other;
	tree->room->nodes -= !is_other;
}

uint64_t tree_room_of_memory(void)
{
	static atomic_uint_fast64_t known; /* 0: not computed yet. Computing reads some thirty files, and
	                                      each model needs the result */
	uint64_t nodes = known;

	if (!nodes) {
		nodes = memory_limit().bytes / MEMORY_PART / NODE_BYTES;
		known = nodes = nodes < NODES_LEAST ? NODES_LEAST : nodes < NODES_MOST ? nodes : NODES_MOST;
	}
	return nodes;
}

bool tree_init(struct tree *tree, struct tree_room *room)
{
	*tree = (struct tree){.room = room};
	add_node(tree, FUNCTION_NONE, TREE_NONE); /* node 0 is TREE_NONE, and no path */
	tree->root = tree->count ? add_node(tree, FUNCTION_NONE, TREE_NONE) : TREE_NONE;
	return tree->root == TREE_ROOT;
}

/* The number of nodes that count in the room. */
static uint32_t count_in_room(const struct tree *tree)
{
	return tree->count - tree->others;
}

void tree_free(struct tree *tree)
{
	if (tree->nodes)
		tree->room->nodes -= count_in_room(tree);
	free(tree->nodes);
	free(tree->offs);
	lookup_clear(&tree->index);
	*tree = (struct tree){0};
}

void tree_set_room(struct tree *tree, struct tree_room *room)
{
	if (!tree->nodes)
		return;
	tree->room->nodes -= count_in_room(tree);
	tree->room = room;
	tree->room->nodes += count_in_room(tree);
}

void tree_clear(struct tree *tree)
{
	tree->room->nodes -= count_in_room(tree) - TREE_ROOT;
	tree->count = TREE_ROOT;
	tree->others = tree->off_count = 0;
	tree->root = add_node(tree, FUNCTION_NONE, TREE_NONE); /* cannot fail: there was a root before */
	tree->folded_calls = 0;
	lookup_clear(&tree->index);
}

/* Notes for tree_child_guess that the search found child: as the recent child of parent, and as the follower of the child found
 * before. Node TREE_NONE gets no follower, and has no function, so a guess of TREE_NONE fails. */
static void remember_child(struct tree *tree, uint32_t parent, uint32_t child)
{
	if (tree->nodes[parent].recent_child)
		tree->nodes[tree->nodes[parent].recent_child].follower = child;
	tree->nodes[parent].recent_child = child;
}

uint32_t tree_child_slowly(struct tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t hash = hash_pair(parent, function), item;

	for (uint32_t at = hash; (item = lookup_next(&tree->index, hash, &at)) != LOOKUP_NONE;)
		if (tree->nodes[item].parent == parent && tree->nodes[item].function == function) {
			remember_child(tree, parent, item);
			return item;
		}
	if (function != FUNCTION_OTHER && (tree_is_full(tree) || tree_is_other(tree, parent)))
		return TREE_NONE;
	item = add_node(tree, function, parent);
	if (item == TREE_NONE)
		return TREE_NONE;
	if (!lookup_put(&tree->index, hash, item)) {
		remove_last_node(tree);
		tree->count_max = tree->count;
		return TREE_NONE;
	}
	tree->nodes[item].next_sibling = tree->nodes[parent].first_child;
	tree->nodes[parent].first_child = item;
	remember_child(tree, parent, item);
	return item;
}

uint32_t tree_other(struct tree *tree, uint32_t parent)
{
	uint32_t child = tree_is_other(tree, parent) ? TREE_NONE : tree_child(tree, parent, FUNCTION_OTHER);

	return child ? child : parent;
}

uint32_t tree_enclose(struct tree *tree, uint32_t function)
{
	uint32_t inner = tree->root, outer = tree_is_full(tree) ? TREE_NONE : add_node(tree, FUNCTION_NONE, TREE_NONE);

	if (outer == TREE_NONE)
		return TREE_NONE;
	if (!lookup_put(&tree->index, hash_pair(outer, function), inner)) {
		remove_last_node(tree);
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

uint64_t tree_sum_others(const struct tree *tree)
{
	uint64_t sum = 0;

	for (uint32_t at = TREE_ROOT; tree->others && at < tree->count; at++)
		sum += tree_is_other(tree, at) ? tree->nodes[at].self : 0;
	return sum;
}

/* The calls to add to folded_calls. Without calls (weights, samples), a node counts as one
 * path. The content of (other) is already counted. */
static uint64_t folded(const struct tree_node *node)
{
	return node->function == FUNCTION_OTHER ? 0 : node->calls + (!node->calls && node->total);
}

bool tree_add_off(struct tree *tree, uint32_t node, const struct off_cpu_ticks *total, const struct off_cpu_ticks *self)
{
	struct tree_off *off;

	if ((!total || profile_off_cpu_is_none(total)) && (!self || profile_off_cpu_is_none(self)))
		return true;
	if (!tree->nodes[node].off) {
		if (!array_reserve(&tree->offs, &tree->off_capacity, tree->off_count + (size_t)2, sizeof *tree->offs))
			return false;
		tree->nodes[node].off = ++tree->off_count;
		tree->offs[tree->off_count] = (struct tree_off){0};
	}
	off = &tree->offs[tree->nodes[node].off];
	if (total)
		profile_add_off_cpu(&off->total, total);
	if (self)
		profile_add_off_cpu(&off->self, self);
	return true;
}

/* Adds the node's own figures to (other): the node's self becomes self and total there. off: the node's, by value as the tree's
 * may move. */
static bool fold(struct tree *tree, uint32_t other, const struct tree_node *node, struct tree_off off)
{
	struct tree_node *to = &tree->nodes[other];
	bool is_other = tree_is_other(tree, other); /* no memory: it is a caller's node */

	to->calls += node->calls;
	to->self += node->self;
	to->total += is_other ? node->self : 0;
	tree->folded_calls += is_other ? folded(node) : 0;
	return tree_add_off(tree, other, is_other ? &off.self : NULL, &off.self);
}

/* Adds the figures of node, which is a node of the same function, to the node at. off: as for fold. */
static bool add_to(struct tree *tree, uint32_t at, const struct tree_node *node, struct tree_off off)
{
	struct tree_node *to = &tree->nodes[at];

	to->calls += node->calls;
	to->self += node->self;
	to->total += node->total;
	return tree_add_off(tree, at, &off.total, &off.self);
}

bool tree_move_numbers(struct tree *tree, uint32_t to, uint32_t from)
{
	struct tree_node *node = &tree->nodes[from];
	struct tree_off off = *tree_get_off(tree, node);
	bool good = tree->nodes[to].function == node->function ? add_to(tree, to, node, off) : fold(tree, to, node, off);

	node->calls = node->self = node->total = 0;
	if (node->off)
		tree->offs[node->off] = (struct tree_off){0};
	return good;
}

bool tree_merge(struct tree *into, const struct tree *from)
{
	uint32_t *same = malloc(from->count * sizeof *same); /* by node of from: the same path's node in into */
	bool good;

	if (into->room->nodes + from->count > into->room->limit) {
		if (into->patience <= from->count)
			tree_prune(into, NULL, 0);
		else
			into->patience -= from->count;
	}
	if (!same)
		return false;
	same[from->root] = into->root;
	into->nodes[into->root].self += from->nodes[from->root].self;
	good = tree_add_off(into, into->root, NULL, &tree_get_off(from, &from->nodes[from->root])->self);
	into->folded_calls += from->folded_calls;
	for (uint32_t at = from->root; (at = tree_next(from, at, from->root)) != TREE_NONE;) {
		const struct tree_node *node = &from->nodes[at];

		same[at] = tree_path(into, same[node->parent], node->function);
		if (into->nodes[same[at]].function == node->function)
			good &= add_to(into, same[at], node, *tree_get_off(from, node));
		else
			good &= fold(into, same[at], node, *tree_get_off(from, node));
	}
	free(same);
	return good;
}

bool tree_move(struct tree *into, struct tree *from)
{
	bool good = true;

	if (into->count == TREE_ROOT + 1 && !into->nodes[into->root].self && !into->folded_calls && into->room == from->room) {
		struct tree empty = *into;

		*into = *from;
		*from = empty;
	} else {
		good = tree_merge(into, from);
	}
	tree_clear(from);
	return good;
}

/* The next node in order of creation, in which callers come before callees; in preorder
 * if the root was added last (tree_enclose). */
static uint32_t next_to_join(const struct tree *tree, uint32_t node)
{
	if (tree->root != TREE_ROOT)
		return tree_next(tree, node, tree->root);
	return node + 1 < tree->count ? node + 1 : TREE_NONE;
}

bool tree_join(struct tree *into, const struct tree *from, uint32_t *nodes, size_t count)
{
	uint32_t *same = malloc(from->count * sizeof *same);
	bool room = same;

	if (room) {
		same[from->root] = into->root;
		room = add_to(into, into->root, &from->nodes[from->root], *tree_get_off(from, &from->nodes[from->root]));
	}
	for (uint32_t at = from->root; room && (at = next_to_join(from, at)) != TREE_NONE;) {
		const struct tree_node *node = &from->nodes[at];
		uint32_t child = tree_child(into, same[node->parent], node->function);

		same[at] = child;
		room = child != TREE_NONE && add_to(into, child, node, *tree_get_off(from, node));
	}
	for (size_t i = 0; room && i < count; i++)
		nodes[i] = same[nodes[i]];
	into->folded_calls += from->folded_calls;
	free(same);
	return room;
}

/* A total that half of the unmarked nodes do not exceed. */
static uint64_t median_total(const struct tree *tree, const uint32_t *marks)
{
	struct histogram totals = {0};
	uint64_t median;

	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		if (!marks[at] && !tree_is_other(tree, at))
			histogram_add(&totals, tree->nodes[at].total);
	median = histogram_percentile(&totals, 0.5);
	histogram_clear(&totals);
	return median + median / HISTOGRAM_STEPS + 1; /* to the end of the median's bucket */
}

static void mark_path(const struct tree *tree, uint32_t *marks, uint32_t at)
{
	for (; at != TREE_NONE && !marks[at]; at = tree->nodes[at].parent)
		marks[at] = 1;
}

/* Adds each unmarked node's figures to the child (other) of the nearest marked ancestor, and marks
 * that child. False: no memory for a child (other). */
static bool fold_unmarked(struct tree *tree, uint32_t *marks)
{
	uint32_t before = tree->count;
	bool good = true;

	for (uint32_t at = TREE_ROOT; at < before; at++)
		marks[at] |= tree_is_other(tree, at) && marks[tree->nodes[at].parent];
	for (uint32_t at = TREE_ROOT; at < before; at++) {
		const struct tree_node node = tree->nodes[at];
		uint32_t above = node.parent, other;

		if (marks[at])
			continue;
		while (!marks[above])
			above = tree->nodes[above].parent;
		other = tree_other(tree, above);
		marks[other] = 1;
		good &= fold(tree, other, &node, *tree_get_off(tree, &node)) && other != above;
	}
	return good;
}

/* Moves the marked nodes together, and replaces their marks by their new indices. */
static void compact(struct tree *tree, uint32_t *marks)
{
	uint32_t kept = TREE_ROOT;

	tree->room->nodes -= count_in_room(tree);
	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		if (marks[at])
			marks[at] = kept++;
	tree->others = 0;
	for (uint32_t at = TREE_ROOT; at < tree->count; at++) {
		struct tree_node *node = &tree->nodes[marks[at]];

		if (!marks[at])
			continue;
		*node = tree->nodes[at];
		node->parent = marks[node->parent];
		node->first_child = node->next_sibling = node->recent_child = node->follower = TREE_NONE;
		tree->others += node->function == FUNCTION_OTHER;
	}
	tree->root = marks[tree->root];
	tree->count = kept;
	tree->room->nodes += count_in_room(tree);
}

/* Removes the times off the CPU of removed nodes. Without memory they stay, unused. */
static void compact_offs(struct tree *tree)
{
	struct tree_off *kept = malloc((tree->off_count + (size_t)1) * sizeof *kept);
	uint32_t count = 0;

	for (uint32_t at = TREE_ROOT; kept && at < tree->count; at++)
		if (tree->nodes[at].off) {
			kept[++count] = tree->offs[tree->nodes[at].off];
			tree->nodes[at].off = count;
		}
	if (!kept)
		return;
	free(tree->offs);
	tree->offs = kept;
	tree->off_capacity = tree->off_count + (size_t)1;
	tree->off_count = count;
}

/* Rebuilds the lists of children and the index. */
static bool link_nodes(struct tree *tree)
{
	lookup_clear(&tree->index);
	for (uint32_t at = TREE_ROOT; at < tree->count; at++) {
		struct tree_node *node = &tree->nodes[at];

		if (node->parent == TREE_NONE)
			continue;
		node->next_sibling = tree->nodes[node->parent].first_child;
		tree->nodes[node->parent].first_child = at;
		if (!lookup_put(&tree->index, hash_pair(node->parent, node->function), at))
			return false;
	}
	return true;
}

bool tree_prune(struct tree *tree, uint32_t *nodes, size_t count)
{
	uint32_t *marks, before = count_in_room(tree);
	uint64_t median;
	bool good;

	marks = calloc(2 * (size_t)tree->count, sizeof *marks); /* marks[TREE_NONE] stays 0; twice as many, as each
	                                                           node may get an (other) */
	if (!marks)
		return false;
	mark_path(tree, marks, tree->root);
	for (size_t i = 0; i < count; i++)
		mark_path(tree, marks, nodes[i]);
	median = median_total(tree, marks);
	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		if (tree->nodes[at].total > median && !tree_is_other(tree, at))
			mark_path(tree, marks, at);
	good = fold_unmarked(tree, marks);
	compact(tree, marks);
	compact_offs(tree);
	for (size_t i = 0; i < count; i++)
		nodes[i] = marks[nodes[i]];
	free(marks);
	tree->patience = before - count_in_room(tree) < before / 8 ? before : 1;
	return link_nodes(tree) && good && !tree_is_full(tree);
}

bool tree_sort(struct tree *tree, size_t functions)
{
	uint32_t *ends = calloc(functions + 1, sizeof *ends), *order = malloc(tree->count * sizeof *order), end = 0;
	bool good = ends && order;

	for (uint32_t at = TREE_ROOT; good && at < tree->count; at++)
		ends[tree->nodes[at].function < functions ? tree->nodes[at].function : functions]++;
	for (size_t id = 0; good && id <= functions; id++)
		ends[id] = end += ends[id];
	for (uint32_t at = TREE_ROOT; good && at < tree->count; at++)
		order[--ends[tree->nodes[at].function < functions ? tree->nodes[at].function : functions]] = at;
	for (uint32_t at = TREE_ROOT; good && at < tree->count; at++)
		tree->nodes[at].first_child = TREE_NONE;
	while (good && end) {
		uint32_t at = order[--end], parent = tree->nodes[at].parent;

		if (parent == TREE_NONE)
			continue;
		tree->nodes[at].next_sibling = tree->nodes[parent].first_child;
		tree->nodes[parent].first_child = at;
	}
	free(ends);
	free(order);
	return good;
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
