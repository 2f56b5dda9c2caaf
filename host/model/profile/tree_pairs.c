/* tree_pairs: makes a tree of pairs out of a tree of paths. */
#include "model/profile/tree_pairs.h"

#include <stdlib.h>

struct walk {
	const struct tree *paths;
	struct tree pairs;
	uint32_t *opened; /* index: node of paths; its pair, if no caller's node has the same pair; else TREE_NONE */
	bool is_short; /* memory ran out for time off the CPU */
};

/* The pair of the path's last two functions. */
static uint32_t find_pair(struct walk *walk, uint32_t at)
{
	const struct tree_node *nodes = walk->paths->nodes;
	uint32_t above = walk->pairs.root;

	if (nodes[at].parent != walk->paths->root)
		above = tree_path(&walk->pairs, above, nodes[nodes[at].parent].function);
	return tree_path(&walk->pairs, above, nodes[at].function);
}

static void enter(struct walk *walk, uint32_t at)
{
	const struct tree_node *from = &walk->paths->nodes[at];
	uint32_t pair = find_pair(walk, at);
	struct tree_node *to = &walk->pairs.nodes[pair];
	const struct tree_off *off = tree_get_off(walk->paths, from);
	bool is_inner = from->parent != walk->paths->root && to->is_open;

	to->calls += from->calls;
	to->self += from->self;
	to->total += is_inner ? 0 : from->total;
	walk->is_short |= !tree_add_off(&walk->pairs, pair, is_inner ? NULL : &off->total, &off->self);
	if (is_inner)
		return;
	if (from->parent == walk->paths->root)
		return;
	to->is_open = true;
	walk->opened[at] = pair;
}

static void leave(struct walk *walk, uint32_t at)
{
	if (walk->opened[at])
		walk->pairs.nodes[walk->opened[at]].is_open = false;
}

/* Enters and leaves each node, with its callers entered and not left. */
static void visit_all(struct walk *walk)
{
	const struct tree_node *nodes = walk->paths->nodes;

	for (uint32_t at = nodes[walk->paths->root].first_child; at != TREE_NONE;) {
		enter(walk, at);
		if (nodes[at].first_child) {
			at = nodes[at].first_child;
			continue;
		}
		for (leave(walk, at); !nodes[at].next_sibling; leave(walk, at)) {
			at = nodes[at].parent;
			if (at == walk->paths->root)
				return;
		}
		at = nodes[at].next_sibling;
	}
}

bool tree_make_pairs(struct tree *tree)
{
	struct tree_room both = {UINT64_MAX, 0}, *room = tree->room;
	struct walk walk = {.paths = tree, .opened = calloc(tree->count, sizeof *walk.opened)};
	struct tree_node *root;

	if (!walk.opened || !tree_init(&walk.pairs, &both)) {
		free(walk.opened);
		return false;
	}
	visit_all(&walk);
	free(walk.opened);
	root = &walk.pairs.nodes[walk.pairs.root];
	root->self = tree->nodes[tree->root].self;
	walk.is_short |= !tree_add_off(&walk.pairs, walk.pairs.root, NULL, &tree_get_off(tree, &tree->nodes[tree->root])->self);
	walk.pairs.folded_calls = tree->folded_calls;
	tree_free(tree);
	*tree = walk.pairs;
	tree_set_room(tree, room);
	return !walk.is_short;
}
