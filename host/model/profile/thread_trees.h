/* thread_trees: a tree of paths for each thread, besides the tree of all threads. With model_options.thread_trees, for the page and
 * for exports. */
#ifndef DWELL_HOST_MODEL_PROFILE_THREAD_TREES_H
#define DWELL_HOST_MODEL_PROFILE_THREAD_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/tree.h"

/* Zeroed but for room: empty. */
struct thread_trees {
	struct tree_room *room; /* for their nodes; borrowed */
	struct thread_tree {
		uint32_t stream;
		struct tree tree;
	} *list;
	size_t count, capacity;
	size_t recent;      /* index of the last tree that was found */
	struct lookup index; /* stream → index in list */
};

/* The tree of a stream; made when it is new. Valid until another tree is made. Null: no memory. */
struct tree *thread_trees_get(struct thread_trees *trees, uint32_t stream);
/* Null: the stream has no tree. */
const struct tree *thread_trees_find(const struct thread_trees *trees, uint32_t stream);
/* Function ids have changed: map[old] is the new id. False: no memory. */
bool thread_trees_renumber(struct thread_trees *trees, const uint32_t *map, size_t count);
void thread_trees_clear(struct thread_trees *trees);

#endif
