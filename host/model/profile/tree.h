/* tree: paths of functions from the root, with what was spent on each. The model keeps one for each thread and adds them
 * together. */
#ifndef DWELL_HOST_MODEL_PROFILE_TREE_H
#define DWELL_HOST_MODEL_PROFILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/index.h"

#define TREE_NONE 0u /* no node */
#define TREE_ROOT 1u /* the first root */

/* Paths kept, 64 bytes each. A recursion over data has as many paths as the data has shapes, so a tree that is full is pruned:
 * the half with the least time goes, and its time is counted where it was called from. */
#define TREE_NODES_OF_THREAD (1u << 15)
#define TREE_NODES_OF_ALL (1u << 17)

/* One path: a function called from that path. */
struct tree_node {
	uint32_t function;
	uint32_t parent; /* TREE_NONE of the root, whose function is FUNCTION_NONE */
	uint32_t first_child, next_sibling;
	uint32_t recent_child;              /* the one asked for last, a guess for the next time … */
	uint32_t follower;                  /* … and the sibling asked for behind this one */
	uint64_t calls, total, self;
	uint64_t total_off, self_off; /* of these: not known to be on the CPU */
};

struct tree {
	struct tree_node *nodes;
	size_t capacity;
	uint32_t count, limit;
	uint32_t root;
	struct index index;    /* (parent, function) → node */
	uint64_t folded_calls; /* of paths that have no node of their own; of samples and weights, such paths */
	uint32_t patience;     /* requests without room until it is pruned again; 1: at once. See tree_is_due */
};

/* limit: of nodes. False when there is no memory. */
bool tree_init(struct tree *tree, uint32_t limit);
void tree_free(struct tree *tree);

/* The node of a function called from the node parent, if it is the one asked for last there, or what followed it before. Else TREE_NONE. */
static inline uint32_t tree_child_soon(struct tree *tree, uint32_t parent, uint32_t function)
{
	struct tree_node *nodes = tree->nodes;
	uint32_t guess = nodes[parent].recent_child;

	if (nodes[guess].function == function)
		return guess;
	guess = nodes[guess].follower;
	if (__builtin_expect(nodes[guess].function != function, 0))
		return TREE_NONE;
	nodes[parent].recent_child = guess;
	return guess;
}

/* Wherever it is; made when it is new. TREE_NONE when there is no room. */
uint32_t tree_child_slowly(struct tree *tree, uint32_t parent, uint32_t function);
static inline uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t child = tree_child_soon(tree, parent, function);

	return child ? child : tree_child_slowly(tree, parent, function);
}

/* All that is under the root was called by function, it turns out: the root becomes its node, under a new root. Returns the node,
 * TREE_NONE when there is no room. */
uint32_t tree_enclose(struct tree *tree, uint32_t function);

/* Adds all of from, its root onto the root. What finds no room is counted at the deepest node that is there. False, and nothing is
 * added, when there is no memory even to begin. */
bool tree_merge(struct tree *into, const struct tree *from);

/* The same, for two trees of which each may be read as if all had been in one: nothing is pruned, and where there is no room it is false;
 * into has a part of it then. The nodes[0 … count) of from become those of into. */
bool tree_join(struct tree *into, const struct tree *from, uint32_t *nodes, size_t count);

static inline bool tree_is_full(const struct tree *tree)
{
	return tree->count >= tree->limit;
}

/* Whether it is full, and is to be pruned now. The caller, who found no room, must do so if it says yes.
 *
 * That is at once: an enter does not tell how long the call will last, and without a node all that happens in it would be its
 * caller's. Only where next to nothing could go, as most nodes are open, or by what a file claims, is it put off, for as many
 * requests as pruning costs. */
static inline bool tree_is_due(struct tree *tree)
{
	if (!tree_is_full(tree))
		return false;
	if (tree->patience <= 1)
		return true;
	tree->patience--;
	return false;
}

/* Drops half of the nodes, but for the nodes[0 … count): they and what is above them stay, and are renumbered in place. False when
 * there is no room after it. */
bool tree_prune(struct tree *tree, uint32_t *nodes, size_t count);

/* Ids have changed: map[old] is the new one. False when there is no memory. */
bool tree_renumber(struct tree *tree, const uint32_t *map, size_t count);

/* Back to an empty root; keeps the memory. */
void tree_clear(struct tree *tree);

/* The node that follows in preorder within the tree below top; TREE_NONE behind the last. For walks without recursion, as hostile
 * trees are deep. */
uint32_t tree_next(const struct tree *tree, uint32_t node, uint32_t top);
/* The same behind all that is below node. */
uint32_t tree_next_beside(const struct tree *tree, uint32_t node, uint32_t top);

#endif
