/* Whether two that counted the same calls say the same, whatever the order in which they met paths and functions. */
#ifndef DWELL_TEST_SAME_COUNT_H
#define DWELL_TEST_SAME_COUNT_H

#include <stdlib.h>

#include "check.h"
#include "record/stage/count.h"

static inline const struct dwell_path_function *same_find(const struct dwell_paths *paths, uint64_t place)
{
	for (uint32_t i = 0; i < paths->function_count; i++)
		if (paths->functions[i].place == place)
			return &paths->functions[i];
	return NULL;
}

static inline uint64_t same_counter(
	const struct dwell_paths *paths, const struct dwell_path_function *function, uint32_t octave, uint32_t step)
{
	return function->octaves[octave] ? paths->octaves[function->octaves[octave] - 1][step] : 0;
}

static inline void same_function(const struct dwell_paths *a, const struct dwell_path_function *one, const struct dwell_paths *b)
{
	const struct dwell_path_function *other = same_find(b, one->place);
	uint64_t different = 0;

	if (!CHECK(other))
		return;
	CHECK_EQ(one->folded_calls, other->folded_calls);
	CHECK_EQ(one->folded_total_ticks, other->folded_total_ticks);
	CHECK_EQ(one->folded_self_ticks, other->folded_self_ticks);
	CHECK_EQ(one->untimed_calls, other->untimed_calls);
	CHECK_EQ(one->durations, other->durations);
	CHECK_EQ(one->min_ticks, other->min_ticks);
	CHECK_EQ(one->max_ticks, other->max_ticks);
	CHECK_EQ(one->sum_ticks, other->sum_ticks);
	CHECK(!one->durations || one->incomplete == other->incomplete);
	for (uint32_t octave = 0; octave < DWELL_DURATION_OCTAVES; octave++)
		for (uint32_t step = 0; step < DWELL_DURATION_STEPS; step++)
			different += same_counter(a, one, octave, step) != same_counter(b, other, octave, step);
	CHECK_EQ(different, 0);
}

/* Each path of one in the other: children are made after their parents. times: and how long they took. */
static inline void same_nodes(const struct dwell_paths *a, struct dwell_paths *b, bool times)
{
	uint32_t *same = malloc(a->node_count * sizeof *same);

	same[DWELL_PATHS_ROOT] = DWELL_PATHS_ROOT;
	for (uint32_t i = 1; i < a->node_count && !tap_bad; i++) {
		const struct dwell_path *one = &a->nodes[i], *other;
		uint32_t before = b->node_count;

		same[i] = dwell_paths_child(b, same[one->parent], a->functions[one->function].place);
		if (!CHECK(same[i] != DWELL_PATHS_NONE && b->node_count == before))
			break;
		other = &b->nodes[same[i]];
		CHECK_EQ(one->calls, other->calls);
		CHECK_EQ(one->taken_ticks, other->taken_ticks);
		if (times) {
			CHECK_EQ(one->total_ticks, other->total_ticks);
			CHECK_EQ(one->self_ticks, other->self_ticks);
		}
	}
	free(same);
}

/* Paths that nobody has finished a call on may be there or not. */
static inline uint32_t same_used(const struct dwell_paths *paths)
{
	uint32_t used = 0;

	for (uint32_t i = 1; i < paths->node_count; i++)
		used += paths->nodes[i].calls != 0;
	return used;
}

static inline void same_paths(const struct dwell_paths *a, struct dwell_paths *b, bool times)
{
	CHECK_EQ(same_used(a), same_used(b));
	for (uint32_t i = 0; i < a->function_count && times; i++)
		same_function(a, &a->functions[i], b);
	same_nodes(a, b, times);
	CHECK_EQ(a->other_calls, b->other_calls);
	CHECK_EQ(a->other_ticks, b->other_ticks);
	CHECK_EQ(a->unbinned, b->unbinned);
}

/* What is open on a stack, and all that is known of it but where its frames are. */
static inline void same_pair(const struct dwell_pair *a, const struct dwell_pair *b)
{
	if (!CHECK_EQ(a->depth, b->depth))
		return;
	for (uint32_t i = 0; i < a->depth; i++) {
		CHECK_EQ(a->frames[i].id, b->frames[i].id);
		CHECK_EQ(a->frames[i].enter_ticks, b->frames[i].enter_ticks);
		CHECK_EQ(a->frames[i].child_ticks, b->frames[i].child_ticks);
		CHECK_EQ(a->frames[i].flags, b->frames[i].flags);
	}
	CHECK_EQ(a->beyond, b->beyond);
	CHECK_EQ(a->deepest, b->deepest);
	CHECK_EQ(a->first_ticks, b->first_ticks);
	CHECK_EQ(a->last_ticks, b->last_ticks);
	CHECK_EQ(a->self_ticks, b->self_ticks);
	CHECK_EQ(a->lost_ticks, b->lost_ticks);
	CHECK_EQ(a->lost_events, b->lost_events);
	CHECK_EQ(a->unmatched_exits, b->unmatched_exits);
	CHECK_EQ(a->unwound_calls, b->unwound_calls);
	CHECK_EQ(a->beyond_calls, b->beyond_calls);
	CHECK_EQ(a->backward_events, b->backward_events);
	CHECK_EQ(a->state, b->state);
	CHECK_EQ(a->lost_pushes, b->lost_pushes);
	CHECK_EQ(a->search_left, b->search_left);
	CHECK_EQ(a->wait_lost_ticks, b->wait_lost_ticks);
	CHECK_EQ(a->wait_stopped_ticks, b->wait_stopped_ticks);
	CHECK_EQ(a->section_ticks, b->section_ticks);
	CHECK_EQ(a->section_first_ticks, b->section_first_ticks);
	CHECK_EQ(a->covered_ticks, b->covered_ticks);
	CHECK(a->section_inherited == b->section_inherited && a->section_missed == b->section_missed);
}

static inline void same_open(const struct follower *a, const struct follower *b)
{
	if (!CHECK_EQ(a->stack_count, b->stack_count))
		return;
	for (size_t i = 0; i < a->stack_count; i++) {
		CHECK_EQ(a->stacks[i]->number, b->stacks[i]->number);
		same_pair(&a->stacks[i]->pair, &b->stacks[i]->pair);
	}
	CHECK_EQ(a->fold.stack, b->fold.stack);
	CHECK_EQ(a->fold.next_stack, b->fold.next_stack);
	CHECK_EQ(a->fold.cursor.high, b->fold.cursor.high);
	CHECK_EQ(a->fold.cursor.window, b->fold.cursor.window);
	CHECK_EQ(a->fold.cursor.last_ticks, b->fold.cursor.last_ticks);
}

#endif
