/* thread_trees: a tree of paths for each thread, beside that of all of them. */
#ifndef DWELL_HOST_MODEL_PROFILE_THREAD_TREES_H
#define DWELL_HOST_MODEL_PROFILE_THREAD_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/tree.h"

/* Zeroed: none. */
struct thread_trees {
	struct thread_tree {
		uint32_t stream;
		struct tree tree;
	} *list;
	size_t count, capacity;
	size_t recent;      /* the one that was asked for last */
	struct index index; /* stream → place in the list */
};

/* The tree of a stream, made when it is new; valid until another one is made. Null when there is no memory. */
struct tree *thread_trees_get(struct thread_trees *trees, uint32_t stream);
/* Null: it has none. */
const struct tree *thread_trees_find(const struct thread_trees *trees, uint32_t stream);
/* Ids have changed: map[old] is the new one. False when there is no memory. */
bool thread_trees_renumber(struct thread_trees *trees, const uint32_t *map, size_t count);
void thread_trees_clear(struct thread_trees *trees);

#endif
