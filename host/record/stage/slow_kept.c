/* slow_kept: counts the calls of the named functions, and keeps the slowest trees, sorted. */
#include "record/stage/slow_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/stage/slow_kept_inner.h"
#include "util/array.h"

struct filter *slow_trees_get_finder(struct slow_trees *trees)
{
	return trees->watch.finder;
}

/* Finds a function, or adds it. number: the finder's. Null: no memory. pre: the lock is held. */
static struct slow_function *find_function(struct slow_trees *trees, uint32_t number)
{
	struct slow_function *function;
	uint32_t rule = 0;

	for (size_t i = 0; i < trees->function_count; i++)
		if (trees->functions[i]->number == number)
			return trees->functions[i];
	if (!filter_get_function(trees->watch.finder, number, &rule) ||
		!array_reserve(
			&trees->functions, &trees->function_capacity, trees->function_count + 1, sizeof(struct slow_function *)) ||
		!(function = calloc(1, sizeof *function)))
		return NULL;
	function->number = number;
	function->rule = rule;
	return trees->functions[trees->function_count++] = function;
}

/* How long the call took, in ticks, without the time in which the recorder held the thread up. */
static uint64_t get_duration(const struct slow_tree *tree)
{
	return tree->exit_ticks - tree->enter_ticks - tree->held_ticks;
}

/* Inserts a tree in order: calls that have ended, the fastest first, then open calls. So drop_fastest never drops an open call.
 * False: no memory. */
static bool insert(struct slow_trees *trees, struct slow_function *function, struct slow_tree *tree)
{
	size_t at = function->kept_count;

	if (!array_reserve(&function->kept, &function->kept_capacity, at + 1, sizeof *function->kept)) {
		trees->missed++;
		return false;
	}
	while (at && (function->kept[at - 1].is_open > tree->is_open ||
			     (function->kept[at - 1].is_open == tree->is_open &&
				     get_duration(&function->kept[at - 1]) > get_duration(tree)))) {
		function->kept[at] = function->kept[at - 1];
		at--;
	}
	function->kept[at] = *tree;
	function->kept_count++;
	__atomic_fetch_add(&trees->used_slots, tree->capacity, __ATOMIC_RELAXED);
	return true;
}

/* Drops the tree of the fastest ended call. */
static void drop_fastest(struct slow_trees *trees, struct slow_function *function)
{
	__atomic_fetch_sub(&trees->used_slots, function->kept[0].capacity, __ATOMIC_RELAXED);
	free(function->kept[0].slots);
	memmove(function->kept, function->kept + 1, --function->kept_count * sizeof *function->kept);
}

/* Whether to keep the tree: its call is open, or the function has fewer trees than the rule allows, or a faster call has a tree. */
static bool is_among_slowest(const struct slow_trees *trees, const struct slow_function *function, const struct slow_tree *tree)
{
	return tree->is_open || function->kept_count - function->open < trees->watch.options->rules[function->rule].number ||
	       get_duration(tree) > get_duration(&function->kept[0]);
}

void slow_trees_count_missed(struct slow_trees *trees)
{
	pthread_mutex_lock(&trees->watch.lock);
	trees->missed++;
	pthread_mutex_unlock(&trees->watch.lock);
}

bool slow_trees_add(struct slow_trees *trees, struct slow_tree *tree)
{
	struct slow_function *function;
	bool kept = false;

	pthread_mutex_lock(&trees->watch.lock);
	function = find_function(trees, tree->function);
	if (function) {
		function->calls++;
		function->total_ticks += get_duration(tree);
		function->buckets[dwell_duration_bucket(get_duration(tree))]++;
		if (is_among_slowest(trees, function, tree)) {
			uint64_t *fitting = realloc(tree->slots, (tree->count ? tree->count : 1) * sizeof *fitting);

			if (fitting) {
				tree->slots = fitting;
				tree->capacity = tree->count;
			}
			kept = insert(trees, function, tree);
			function->open += kept && tree->is_open;
			if (function->kept_count - function->open > trees->watch.options->rules[function->rule].number)
				drop_fastest(trees, function);
		}
	} else {
		trees->missed++;
	}
	pthread_mutex_unlock(&trees->watch.lock);
	return kept;
}

bool slow_trees_has_room(struct slow_trees *trees, uint64_t slots)
{
	return __atomic_load_n(&trees->used_slots, __ATOMIC_RELAXED) + slots <= trees->budget_slots;
}

void slow_trees_end_stream(struct slow_trees *trees, const struct message_thread *thread, uint64_t first_ticks, uint64_t last_ticks)
{
	struct slow_stream *stream;

	pthread_mutex_lock(&trees->watch.lock);
	if (array_reserve(&trees->streams, &trees->stream_capacity, trees->stream_count + 1, sizeof *trees->streams)) {
		stream = &trees->streams[trees->stream_count++];
		*stream = (struct slow_stream){.stream = thread->stream,
			.process = thread->process,
			.tid = thread->tid,
			.ended = thread->ended,
			.lost_events = thread->lost_events,
			.first_ticks = first_ticks,
			.last_ticks = last_ticks};
		snprintf(stream->name, sizeof stream->name, "%s", thread->name);
	} else {
		trees->missed++;
	}
	pthread_mutex_unlock(&trees->watch.lock);
}
