/* Whether two models say the same. */
#ifndef DWELL_TEST_SAME_PROFILE_H
#define DWELL_TEST_SAME_PROFILE_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/model.h"

/* How much of it. A call that turns out to have begun before the data, or in a gap, is not around those that were counted. */
enum sameness {
	SAME_SPANS,  /* of the thread: what is anybody's, lost and outside */
	SAME_TIMES,  /* calls, self times, durations, and those of the thread */
	SAME_TOTALS, /* total times of functions, too */
	SAME_PATHS,  /* all of it */
};

static inline uint32_t find_name(const struct model *model, const char *name)
{
	struct functions *functions = model_get_functions(model);

	for (uint32_t id = 0; id < functions_count(functions); id++)
		if (!strcmp(functions_get_name(functions, id), name))
			return id;
	return FUNCTION_NONE;
}

static inline void compare_off(const struct off_cpu_ticks *a, const struct off_cpu_ticks *b)
{
	CHECK_EQ(a->ticks, b->ticks);
	CHECK_EQ(a->preempted_ticks, b->preempted_ticks);
	CHECK_EQ(a->unknown_ticks, b->unknown_ticks);
}

static inline void compare_function(const struct profile_function *a, const struct profile_function *b, enum sameness sameness)
{
	struct histogram_bucket one, other;
	uint32_t at = 0, at_other = 0;

	CHECK_EQ(a->calls, b->calls);
	CHECK_EQ(a->open_calls, b->open_calls);
	CHECK_EQ(a->untimed_calls, b->untimed_calls);
	if (sameness >= SAME_TOTALS)
		CHECK_EQ(a->total, b->total);
	CHECK_EQ(a->self, b->self);
	CHECK_EQ(a->complete, b->complete);
	CHECK_EQ(a->min, b->min);
	CHECK_EQ(a->max, b->max);
	CHECK_EQ(a->sum, b->sum);
	CHECK_EQ(a->durations.count, b->durations.count);
	while (histogram_next(&a->durations, &at, &one)) {
		CHECK(histogram_next(&b->durations, &at_other, &other));
		CHECK_EQ(one.low, other.low);
		CHECK_EQ(one.count, other.count);
	}
	compare_off(&a->self_off, &b->self_off);
	compare_off(&a->total_off, &b->total_off);
}

/* The same paths with the same figures, whatever the order; how many. */
static inline uint32_t compare_tree(const struct model *a, const struct tree *tree, const struct model *b, const struct tree *other)
{
	uint32_t *same = calloc(tree->count, sizeof *same), nodes = 0;

	same[tree->root] = other->root;
	for (uint32_t at = tree_next(tree, tree->root, tree->root); at; at = tree_next(tree, at, tree->root)) {
		const struct tree_node *node = &tree->nodes[at], *found;
		const char *name = functions_get_name(model_get_functions(a), node->function);
		uint32_t id = find_name(b, name), child = other->nodes[same[node->parent]].first_child;

		while (child && other->nodes[child].function != id)
			child = other->nodes[child].next_sibling;
		CHECK(child != TREE_NONE);
		if (!child)
			break;
		same[at] = child;
		found = &other->nodes[child];
		CHECK_EQ(node->calls, found->calls);
		CHECK_EQ(node->total, found->total);
		CHECK_EQ(node->self, found->self);
		compare_off(&tree_get_off(tree, node)->self, &tree_get_off(other, found)->self);
		compare_off(&tree_get_off(tree, node)->total, &tree_get_off(other, found)->total);
		nodes++;
	}
	free(same);
	return nodes;
}

static inline void compare_thread(const struct profile_thread *a, const struct profile_thread *b, enum sameness sameness)
{
	CHECK(a->balanced && b->balanced && a->off_cpu_balanced && b->off_cpu_balanced);
	CHECK_EQ(a->first_ticks, b->first_ticks);
	CHECK_EQ(a->last_ticks, b->last_ticks);
	CHECK_EQ(a->self_ticks, b->self_ticks);
	CHECK_EQ(a->lost_ticks, b->lost_ticks);
	CHECK_EQ(a->held_ticks, b->held_ticks);
	CHECK_EQ(a->outside_ticks, b->outside_ticks);
	CHECK_EQ(a->lost_events, b->lost_events);
	if (sameness == SAME_SPANS)
		return;
	CHECK_EQ(a->calls, b->calls);
	CHECK_EQ(a->unmatched_exits, b->unmatched_exits);
	CHECK_EQ(a->unwound_calls, b->unwound_calls);
	CHECK_EQ(a->no_entry_calls, b->no_entry_calls);
	CHECK_EQ(a->open_calls, b->open_calls);
	CHECK_EQ(a->gap_calls, b->gap_calls);
	CHECK_EQ(a->beyond_calls, b->beyond_calls);
	CHECK_EQ(a->deepest, b->deepest);
	CHECK_EQ(a->lost_unwinds, b->lost_unwinds);
	compare_off(&a->off, &b->off);
	compare_off(&a->off_self, &b->off_self);
}

static inline uint64_t sum_of(const struct tree *tree)
{
	uint64_t sum = 0;

	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		sum += tree->nodes[at].self;
	return sum;
}

static inline void compare_thread_trees(const struct model *a, const struct model *b, uint32_t nodes)
{
	const struct profile *one = model_get_profile(a), *other = model_get_profile(b);
	const struct tree *tree = thread_trees_find(&one->thread_trees, one->threads[0].stream);
	const struct tree *same = thread_trees_find(&other->thread_trees, one->threads[0].stream);

	if (nodes)
		CHECK(tree && same && compare_tree(a, tree, b, same) == nodes);
}

static inline void compare(const struct model *a, const struct model *b, enum sameness sameness)
{
	const struct profile *one = model_get_profile(a), *other = model_get_profile(b);
	uint32_t nodes;

	CHECK_EQ(one->total, other->total);
	for (uint32_t id = 0; id < one->function_count && sameness > SAME_SPANS; id++) {
		uint32_t same = find_name(b, functions_get_name(model_get_functions(a), id));

		if (!one->functions[id].calls) /* of an exit that fits nothing */
			continue;
		CHECK(same < other->function_count);
		if (same < other->function_count)
			compare_function(&one->functions[id], &other->functions[same], sameness);
	}
	CHECK_EQ(one->thread_count, other->thread_count);
	if (model_get_counted_calls(b).all)
		CHECK_EQ(one->threads[0].events, other->threads[0].events);
	compare_thread(&one->threads[0], &other->threads[0], sameness);
	CHECK_EQ(sum_of(&one->tree), one->total);
	CHECK_EQ(sum_of(&other->tree), other->total);
	if (sameness < SAME_PATHS)
		return;
	nodes = compare_tree(a, &one->tree, b, &other->tree);
	CHECK_EQ(compare_tree(b, &other->tree, a, &one->tree), nodes);
	compare_thread_trees(a, b, nodes);
}


#endif
