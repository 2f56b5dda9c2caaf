/* samples: adds samples to the profile, path by path. */
#include "model/sums/samples.h"

#include <stdlib.h>
#include <string.h>

#include "model/sums/split.h"
#include "util/array.h"
#include "util/saturate.h"

/* The address to look up: for a return address the byte before it, which is in the call instruction. */
static uint64_t address_of(const struct message_node *node)
{
	return node->address - (node->is_return && node->address);
}

static uint32_t find_function(
	struct thread *thread, struct thread_context *context, const struct message_node *node, uint64_t ticks)
{
	if (node->is_kernel)
		return functions_find_kernel(context->functions, address_of(node));
	return functions_find(
		context->functions, thread->own.row.process, (struct place){DWELL_PLACE_ADDRESS, address_of(node)}, ticks);
}

bool sample_paths_add(struct sample_paths *paths, struct profile *profile, uint32_t caller, uint32_t function)
{
	struct tree *tree = &profile->tree;
	uint32_t above = caller ? paths->paths[caller - 1].node : tree->root;
	struct sample_path *path;

	if (function == FUNCTION_NONE || !profile_get_function(profile, function) || paths->count >= UINT32_MAX ||
		!array_reserve(&paths->paths, &paths->capacity, paths->count + 1, sizeof *paths->paths))
		return false;
	path = &paths->paths[paths->count++];
	*path = (struct sample_path){.function = function, .caller = caller, .node = tree_path(tree, above, function)};
	if (caller) {
		path->next_callee = paths->paths[caller - 1].first_callee;
		paths->paths[caller - 1].first_callee = (uint32_t)paths->count;
	}
	return true;
}

static bool find_paths(
	struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message)
{
	uint64_t ticks = message->count ? message->samples[0].ticks : 0;

	if (tree_is_due(&context->profile->tree))
		tree_prune(&context->profile->tree, NULL, 0);
	paths->count = 0;
	if (!array_reserve(&paths->paths, &paths->capacity, (size_t)message->node_count + 1, sizeof *paths->paths))
		return false;
	for (uint32_t i = 0; i < message->node_count; i++) {
		const struct message_node *node = &message->nodes[i];

		if (!sample_paths_add(paths, context->profile, node->caller, find_function(thread, context, node, ticks)))
			return false;
	}
	return true;
}

/* Adds each path's weight to the totals of its callers. */
static void carry_outwards(struct sample_paths *paths)
{
	for (size_t i = paths->count; i--;) {
		struct sample_path *path = &paths->paths[i];

		saturate_add(&path->total, path->self);
		if (path->caller)
			saturate_add(&paths->paths[path->caller - 1].total, path->total);
	}
}

/* Enters a path in find_repeated: counts its function, and sets repeated. False: no memory. */
static bool enter(struct sample_paths *paths, uint32_t index)
{
	struct sample_path *path = &paths->paths[index];
	size_t had = paths->on_path_count;

	if (path->function >= had) {
		if (!array_reserve(&paths->on_path, &paths->on_path_count, (size_t)path->function + 1, sizeof *paths->on_path))
			return false;
		memset(paths->on_path + had, 0, (paths->on_path_count - had) * sizeof *paths->on_path);
	}
	path->repeated = paths->on_path[path->function]++;
	return true;
}

/* Visits each path after its caller, and leaves it after its callees. Not by recursion: sampled stacks may be very deep. */
bool sample_paths_find_repeated(struct sample_paths *paths)
{
	for (uint32_t i = 0; i < paths->count; i++) {
		uint32_t at = i;

		if (paths->paths[i].caller)
			continue;
		for (;;) {
			if (!enter(paths, at))
				return false;
			if (paths->paths[at].first_callee) {
				at = paths->paths[at].first_callee - 1;
				continue;
			}
			for (;;) {
				paths->on_path[paths->paths[at].function]--;
				if (at == i || paths->paths[at].next_callee)
					break;
				at = paths->paths[at].caller - 1;
			}
			if (at == i)
				break;
			at = paths->paths[at].next_callee - 1;
		}
	}
	return true;
}

/* Adds all paths to the rows of functions and to the profile's tree. */
static void count(struct sample_paths *paths, struct thread_context *context)
{
	struct profile *profile = context->profile;

	for (size_t i = 0; i < paths->count; i++) {
		const struct sample_path *path = &paths->paths[i];
		struct profile_function *function = profile_get_function(profile, path->function);
		struct tree_node *node = &profile->tree.nodes[path->node];
		bool has_node = !tree_is_other(&profile->tree, path->node);

		saturate_add(&function->self, path->self);
		if (!path->repeated)
			saturate_add(&function->total, path->total);
		saturate_add(&node->self, path->self);
		saturate_add(&node->total, has_node ? path->total : path->self);
		profile->tree.folded_calls += !has_node;
	}
}

/* Passes a sample to on_sample. path: index plus 1 of its innermost path; 0: unknown. False: no memory. */
static bool pass_sample(struct sample_paths *paths, const struct thread *thread, const struct thread_context *context,
	const struct message_samples *message, const struct message_sample *sample, uint32_t path)
{
	struct model_sample told = {.stream = thread->own.row.stream, .ticks = sample->ticks, .weight = sample->weight};

	for (uint32_t at = path; at; at = paths->paths[at - 1].caller)
		told.count++;
	if (!array_reserve(&paths->told, &paths->told_capacity, told.count, sizeof *paths->told))
		return false;
	for (size_t i = told.count; path; path = paths->paths[path - 1].caller)
		paths->told[--i] = paths->paths[path - 1].function;
	told.functions = paths->told;
	if (sample->node)
		told.address = address_of(&message->nodes[sample->node - 1]);
	context->options.on_sample(context->options.context, &told);
	return true;
}

/* Adds all paths to the thread's own tree, too. Replaces path->node, the node in the profile's tree, which nobody needs any more.
 * tree: null: no memory. False: no memory. */
static bool add_to_thread_tree(struct sample_paths *paths, struct tree *tree)
{
	if (!tree)
		return false;
	if (tree_is_due(tree))
		tree_prune(tree, NULL, 0);
	for (size_t i = 0; i < paths->count; i++) {
		struct sample_path *path = &paths->paths[i];
		uint32_t above = path->caller ? paths->paths[path->caller - 1].node : tree->root;

		path->node = tree_path(tree, above, path->function);
		saturate_add(&tree->nodes[path->node].self, path->self);
		saturate_add(&tree->nodes[path->node].total, tree_is_other(tree, path->node) ? path->self : path->total);
		tree->folded_calls += tree_is_other(tree, path->node);
	}
	return true;
}

bool samples_feed(
	struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message)
{
	struct profile *profile = context->profile;
	uint32_t unknown = FUNCTION_NONE;
	bool good = find_paths(paths, thread, context, message);

	for (uint32_t i = 0; good && i < message->count; i++) {
		const struct message_sample *sample = &message->samples[i];
		uint32_t function;

		if (sample->node) {
			const struct message_node *node = &message->nodes[sample->node - 1];
			struct sample_path *path = &paths->paths[sample->node - 1];

			function = path->function;
			if (context->split &&
				!split_add(context->split, thread, function, address_of(node), sample->ticks, sample->weight))
				return false;
			saturate_add(&path->self, sample->weight);
		} else {
			if (unknown == FUNCTION_NONE)
				unknown = functions_find_name(context->functions, "[unknown]");
			function = unknown;
			if (function == FUNCTION_NONE || !profile_get_function(profile, function))
				return false;
			saturate_add(&profile_get_function(profile, function)->self, sample->weight);
			saturate_add(&profile_get_function(profile, function)->total, sample->weight);
			saturate_add(&profile->tree.nodes[profile->tree.root].self, sample->weight);
			if (context->options.thread_trees) {
				struct tree *own = thread_trees_get(&profile->thread_trees, thread->own.row.stream);

				if (!own)
					return false;
				saturate_add(&own->nodes[own->root].self, sample->weight);
			}
		}
		if (context->options.on_sample &&
			!pass_sample(paths, thread, context, message, sample, sample->node))
			return false;
		good = estimates_add(&profile->estimates, &thread->blocks, function, sample->weight);
		profile->estimates.stacks[sample->stack]++;
		saturate_add(&profile->total, sample->weight);
		saturate_add(&thread->own.row.sampled, sample->weight);
		thread->own.row.samples++;
		if (!thread->own.row.first_ticks)
			thread->own.row.first_ticks = sample->ticks;
		thread->own.row.last_ticks = sample->ticks;
	}
	profile->has_samples |= message->count > 0;
	if (!good)
		return false;
	carry_outwards(paths);
	if (!sample_paths_find_repeated(paths))
		return false;
	count(paths, context);
	return !context->options.thread_trees ||
	       add_to_thread_tree(paths, thread_trees_get(&profile->thread_trees, thread->own.row.stream));
}

void sample_paths_clear(struct sample_paths *paths)
{
	free(paths->paths);
	free(paths->told);
	free(paths->on_path);
	*paths = (struct sample_paths){0};
}
