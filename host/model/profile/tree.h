/* tree: paths of functions from the root (the call tree), with calls and times of each path. The model has a tree for the present
 * section of each stack, and adds them up in the profile. */
#ifndef DWELL_HOST_MODEL_PROFILE_TREE_H
#define DWELL_HOST_MODEL_PROFILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/profile/off_cpu_ticks.h"
#include "util/lookup.h"

#define TREE_NONE 0u /* no node */
#define TREE_ROOT 1u /* the first root */

/* The number of nodes, of about 100 bytes each, allowed for all trees of a model together: a recursion over data has as many
 * paths as the data has shapes. A tree without room is pruned: the half of the nodes with the least time is removed. Removed
 * nodes, and paths without room even then, are added to a child (other) of their caller's path. Each path has at most one child
 * (other), which takes no room. The self time of (other) is all the time in it; so every other node's self is its own, and each
 * total is the sum of the children's totals and the node's self. */
struct tree_room {
	uint64_t limit, nodes; /* number of nodes allowed; number used by all trees of the room */
};
/* The number of nodes that the machine's memory allows. */
uint64_t tree_room_of_memory(void);

/* The parts of a path's total and self off the CPU. */
struct tree_off {
	struct off_cpu_ticks total, self;
};

/* One path: a function called from the path of its parent. */
struct tree_node {
	uint32_t function;                  /* FUNCTION_OTHER: (other), see above */
	uint32_t parent; /* TREE_NONE for the root, whose function is FUNCTION_NONE */
	uint32_t first_child, next_sibling;
	union {
		uint32_t recent_child; /* the child found last, as a guess for the next search … */
		uint32_t is_open;      /* for a pair of functions: a call of it has not ended yet (tree_pairs.h) */
	};
	uint32_t follower;                  /* … and the sibling found after this node */
	uint32_t off; /* index in the tree's offs; 0: no time off the CPU. Few of many paths have any (tree_get_off) */
	uint64_t calls, total, self;
};

struct tree {
	struct tree_node *nodes;
	size_t capacity;
	uint32_t count;
	struct tree_off *offs; /* from index 1 on */
	size_t off_capacity;
	uint32_t off_count; /* the last index */
	/* 0: no limit; else there was no memory for more nodes. A further try takes some system calls, and each call of a new path
	 * would make one. */
	uint32_t count_max;
	uint32_t others; /* the number of (other) nodes among them */
	struct tree_room *room;
	uint32_t root;
	struct lookup index;    /* (parent, function) → node */
	uint64_t folded_calls; /* calls in (other); for samples and weights, paths */
	uint32_t patience;     /* requests without room until the next pruning; 0: not pruned so far; 1: at once. See tree_is_due */
};

/* room: borrowed. False: no memory. */
bool tree_init(struct tree *tree, struct tree_room *room);
void tree_free(struct tree *tree);
/* Counts the tree's nodes in another room from here on, and no longer in the old one. */
void tree_set_room(struct tree *tree, struct tree_room *room);

/* Fast path of tree_child: the child of parent for a function, if the last search found this child, or if this child was once
 * found next. Otherwise TREE_NONE. */
static inline uint32_t tree_child_guess(struct tree *tree, uint32_t parent, uint32_t function)
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

/* The child of parent for a function, by the index; made when it is new. TREE_NONE: no room in the tree, or no memory. */
uint32_t tree_child_slowly(struct tree *tree, uint32_t parent, uint32_t function);
static inline uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t child = tree_child_guess(tree, parent, function);

	return child ? child : tree_child_slowly(tree, parent, function);
}

/* The child (other) of parent; made when it is new. No memory: the parent. */
uint32_t tree_other(struct tree *tree, uint32_t parent);
/* The child of parent for a function, or (other). */
static inline uint32_t tree_path(struct tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t child = tree_child(tree, parent, function);

	return child ? child : tree_other(tree, parent);
}
static inline bool tree_is_other(const struct tree *tree, uint32_t node)
{
	return tree->nodes[node].function == FUNCTION_OTHER;
}

/* Adds to a node that tree_path returned. */
static inline void tree_add(struct tree *tree, uint32_t node, uint64_t calls, uint64_t total, uint64_t self)
{
	struct tree_node *at = &tree->nodes[node];

	at->calls += calls;
	at->self += self;
	at->total += __builtin_expect(tree_is_other(tree, node), 0) ? self : total;
	if (__builtin_expect(tree_is_other(tree, node), 0))
		tree->folded_calls += calls;
}

/* The parts of the node's times off the CPU. Valid until the next tree_add_off. */
static inline const struct tree_off *tree_get_off(const struct tree *tree, const struct tree_node *node)
{
	static const struct tree_off none;

	return node->off ? &tree->offs[node->off] : &none;
}

/* Adds time off the CPU to a node; null: none. False: no memory, and the time counts as on the CPU. */
bool tree_add_off(struct tree *tree, uint32_t node, const struct off_cpu_ticks *total, const struct off_cpu_ticks *self);

/* Adds the figures of node from to node to, and zeroes those of from. False: no memory for time off the CPU. */
bool tree_move_numbers(struct tree *tree, uint32_t to, uint32_t from);

/* An exit showed a call of function that encloses all paths of the tree: makes the root the call's node, below a new root. Returns
 * the node. TREE_NONE: no room. */
uint32_t tree_enclose(struct tree *tree, uint32_t function);

/* Adds all of from, root to root. False, and nothing is added, when there is no memory to begin. */
bool tree_merge(struct tree *into, const struct tree *from);

/* As tree_merge; from is then an empty root. */
bool tree_move(struct tree *into, struct tree *from);

/* Joins two trees of consecutive data, with the same result as one tree for all data: prunes nothing. False: no room, and into has
 * a part of from. nodes[0 … count) of from become nodes of into. */
bool tree_join(struct tree *into, const struct tree *from, uint32_t *nodes, size_t count);

static inline bool tree_is_full(const struct tree *tree)
{
	return tree->room->nodes >= tree->room->limit;
}

/* The sum of the self times of all (other). */
uint64_t tree_sum_others(const struct tree *tree);

/* Whether the tree is full and has to be pruned now. The caller, whose path has no room, must then call tree_prune.
 *
 * Pruning is not put off, since an enter does not show how long the call will last, and without a node all the call's time
 * would go to (other). Only if pruning would free next to nothing, as most nodes are open, or by the sizes claimed by a file,
 * is it put off: for as many requests as pruning costs steps. */
static inline bool tree_is_due(struct tree *tree)
{
	if (!tree_is_full(tree))
		return false;
	if (tree->patience <= 1)
		return true;
	tree->patience--;
	return false;
}

/* Whether (other) has content, or the tree is full. What is in (other) depends on the order of events. */
static inline bool tree_was_pruned(const struct tree *tree)
{
	return tree->nodes && (tree->patience || tree->folded_calls || tree->others || tree_is_full(tree));
}

/* Removes the half of the nodes with the smaller totals, except nodes[0 … count) and their ancestors. Gives the entries of nodes
 * the new indexes. False: there is still no room. */
bool tree_prune(struct tree *tree, uint32_t *nodes, size_t count);

/* Function ids have changed: map[old] is the new id. False: no memory. */
bool tree_renumber(struct tree *tree, const uint32_t *map, size_t count);

/* Sorts the children of each node by function id, (other) last. The order then does not depend on which thread read a path first.
 * functions: the number of ids. False: no memory. */
bool tree_sort(struct tree *tree, size_t functions);

/* Leaves an empty root, and keeps the memory. */
void tree_clear(struct tree *tree);

/* The node after this one in preorder below top; TREE_NONE after the last. For walks
 * without recursion, as hostile trees are deep. */
uint32_t tree_next(const struct tree *tree, uint32_t node, uint32_t top);
/* The same, but skips everything below node. */
uint32_t tree_next_beside(const struct tree *tree, uint32_t node, uint32_t top);

#endif
