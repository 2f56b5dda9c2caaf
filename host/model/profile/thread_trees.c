/* thread_trees: finds and makes the tree of each thread. */
#include "model/profile/thread_trees.h"

#include <stdlib.h>

#include "util/array.h"

/* The index of the stream's tree; count if there is none. */
static size_t find(const struct thread_trees *trees, uint32_t stream)
{
	uint32_t hash = hash_number(stream), item;

	if (trees->recent < trees->count && trees->list[trees->recent].stream == stream)
		return trees->recent;
	for (uint32_t at = hash; (item = lookup_next(&trees->index, hash, &at)) != LOOKUP_NONE;)
		if (trees->list[item].stream == stream)
			return item;
	return trees->count;
}

struct tree *thread_trees_get(struct thread_trees *trees, uint32_t stream)
{
	size_t at = find(trees, stream);

	if (at == trees->count) {
		if (!array_reserve(&trees->list, &trees->capacity, at + 1, sizeof *trees->list))
			return NULL;
		trees->list[at] = (struct thread_tree){.stream = stream};
		if (!tree_init(&trees->list[at].tree, trees->room) ||
			!lookup_put(&trees->index, hash_number(stream), (uint32_t)at)) {
			tree_free(&trees->list[at].tree);
			return NULL;
		}
		trees->count++;
	}
	trees->recent = at;
	return &trees->list[at].tree;
}

const struct tree *thread_trees_find(const struct thread_trees *trees, uint32_t stream)
{
	size_t at = find(trees, stream);

	return at < trees->count ? &trees->list[at].tree : NULL;
}

bool thread_trees_renumber(struct thread_trees *trees, const uint32_t *map, size_t count)
{
	bool good = true;

	for (size_t i = 0; good && i < trees->count; i++)
		good = tree_renumber(&trees->list[i].tree, map, count);
	return good;
}

void thread_trees_clear(struct thread_trees *trees)
{
	for (size_t i = 0; i < trees->count; i++)
		tree_free(&trees->list[i].tree);
	free(trees->list);
	lookup_clear(&trees->index);
	*trees = (struct thread_trees){0};
}
