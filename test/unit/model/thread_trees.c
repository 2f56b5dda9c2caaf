/* A tree for each thread, however many threads there are and in whatever order they come. */
#include "check.h"

#include <stdlib.h>

#include "model/profile/thread_trees.h"

enum { STREAMS = 3000, FUNCTIONS = 4 };

/* Spread over all that a stream may be called. */
static uint32_t stream_of(unsigned i)
{
	return i * UINT32_C(2654435761);
}

static void count_call(struct thread_trees *trees, uint32_t stream, uint32_t function, uint64_t ticks)
{
	struct tree *tree = thread_trees_get(trees, stream);
	uint32_t node;

	CHECK(tree);
	node = tree_child(tree, tree->root, function);
	CHECK(node);
	tree->nodes[node].calls++;
	tree->nodes[node].self += ticks;
}

static const struct tree_node *find_node(const struct tree *tree, uint32_t function)
{
	for (uint32_t i = tree->root; i < tree->count; i++)
		if (i != tree->root && tree->nodes[i].function == function)
			return &tree->nodes[i];
	return NULL;
}

TEST(each_has_its_own)
{
	struct tree_room room = {.limit = 1 << 20};
	struct thread_trees trees = {.room = &room};

	CHECK(!thread_trees_find(&trees, 0));
	for (unsigned turn = 0; turn < 3; turn++) /* they take turns: none is the one of before */
		for (unsigned i = 0; i < STREAMS; i++)
			count_call(&trees, stream_of(i), i % FUNCTIONS, i);
	CHECK_EQ(trees.count, STREAMS);
	for (unsigned i = STREAMS; i--;) {
		const struct tree *tree = thread_trees_find(&trees, stream_of(i));
		const struct tree_node *node = tree ? find_node(tree, i % FUNCTIONS) : NULL;

		CHECK(node && node->calls == 3 && node->self == 3 * (uint64_t)i);
		CHECK(tree && !find_node(tree, (i + 1) % FUNCTIONS));
	}
	CHECK(!thread_trees_find(&trees, stream_of(STREAMS)));
	CHECK_EQ(trees.count, STREAMS);
	thread_trees_clear(&trees);
	CHECK(!thread_trees_find(&trees, stream_of(1)));
}

TEST(ids_change_in_all)
{
	static const uint32_t map[FUNCTIONS] = {2, 3, 1, 0};
	struct tree_room room = {.limit = 1 << 20};
	struct thread_trees trees = {.room = &room};

	for (unsigned i = 0; i < 50; i++)
		count_call(&trees, stream_of(i), i % FUNCTIONS, 1 + i);
	CHECK(thread_trees_renumber(&trees, map, FUNCTIONS));
	for (unsigned i = 0; i < 50; i++) {
		const struct tree_node *node = find_node(thread_trees_find(&trees, stream_of(i)), map[i % FUNCTIONS]);

		CHECK(node && node->self == 1 + i);
		count_call(&trees, stream_of(i), map[i % FUNCTIONS], 100); /* found by its new number, too */
		CHECK(node->calls == 2 && node->self == 101 + i);
	}
	thread_trees_clear(&trees);
}

int main(void)
{
	RUN(each_has_its_own);
	RUN(ids_change_in_all);
	return tap_done();
}
