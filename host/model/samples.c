/* samples: see samples.h. */
#include "model/samples.h"

#include <stdlib.h>
#include <string.h>

#include "model/split.h"
#include "util/array.h"

static void add_capped(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* A call is before where it returns to. */
static uint64_t address_of(const struct message_node *node)
{
	return node->address - (node->is_return && node->address);
}

static uint32_t find_function(struct thread *thread, struct thread_context *context, const struct message_node *node, uint64_t ticks)
{
	if (node->is_kernel)
		return functions_find_kernel(context->functions, address_of(node));
	return functions_find(context->functions, thread->row.process, (struct place){DWELL_PLACE_ADDRESS, address_of(node)}, ticks);
}

static bool find_paths(
	struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message)
{
	struct tree *tree = &context->profile->tree;
	uint64_t ticks = message->count ? message->samples[0].ticks : 0;

	if (tree_is_full(tree))
		tree_prune(tree, NULL, 0);
	if (!array_reserve(&paths->paths, &paths->capacity, (size_t)message->node_count + 1, sizeof *paths->paths))
		return false;
	for (uint32_t i = 0; i < message->node_count; i++) {
		const struct message_node *node = &message->nodes[i];
		struct sample_path *path = &paths->paths[i], *caller = node->caller ? &paths->paths[node->caller - 1] : NULL;

		*path = (struct sample_path){.function = find_function(thread, context, node, ticks)};
		if (path->function == FUNCTION_NONE || !profile_get_function(context->profile, path->function))
			return false;
		path->node = tree_child(tree, caller ? caller->node : tree->root, path->function);
		if (!path->node) /* as many paths as there may be: it counts where it was called from */
			path->node = caller ? caller->node : tree->root;
		if (caller) {
			path->next_callee = caller->first_callee;
			caller->first_callee = i + 1;
		}
	}
	return true;
}

/* Callers stand before what they called. */
static void carry_outwards(struct sample_paths *paths, const struct message_samples *message)
{
	for (uint32_t i = message->node_count; i--;) {
		struct sample_path *path = &paths->paths[i];

		add_capped(&path->total, path->self);
		if (message->nodes[i].caller)
			add_capped(&paths->paths[message->nodes[i].caller - 1].total, path->total);
	}
}

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

/* Which functions are on the path to themselves. Without recursion: the stacks that were sampled may be as deep as the chunk is long. */
static bool find_repeated(struct sample_paths *paths, const struct message_samples *message)
{
	for (uint32_t i = 0; i < message->node_count; i++) {
		uint32_t at = i;

		if (message->nodes[i].caller)
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
				at = message->nodes[at].caller - 1;
			}
			if (at == i)
				break;
			at = paths->paths[at].next_callee - 1;
		}
	}
	return true;
}

static void count(struct sample_paths *paths, struct thread_context *context, const struct message_samples *message)
{
	struct profile *profile = context->profile;

	for (uint32_t i = 0; i < message->node_count; i++) {
		const struct sample_path *path = &paths->paths[i];
		struct profile_function *function = profile_get_function(profile, path->function);
		struct tree_node *node = &profile->tree.nodes[path->node];
		bool has_node = node->function == path->function;

		add_capped(&function->self, path->self);
		if (!path->repeated)
			add_capped(&function->total, path->total);
		add_capped(&node->self, path->self);
		if (has_node)
			add_capped(&node->total, path->total);
	}
}

bool samples_feed(struct sample_paths *paths, struct thread *thread, struct thread_context *context, const struct message_samples *message)
{
	struct profile *profile = context->profile;
	uint32_t unknown = FUNCTION_NONE;
	bool good = find_paths(paths, thread, context, message);

	for (uint32_t i = 0; good && i < message->count; i++) {
		const struct message_sample *sample = &message->samples[i];
		uint32_t function;

		if (sample->node) {
			const struct message_node *node = &message->nodes[sample->node - 1];

			function = paths->paths[sample->node - 1].function;
			if (context->split && !split_add(context->split, thread, function, address_of(node), sample->ticks, sample->weight))
				return false;
			add_capped(&paths->paths[sample->node - 1].self, sample->weight);
		} else {
			if (unknown == FUNCTION_NONE)
				unknown = functions_find_name(context->functions, "[unknown]");
			function = unknown;
			if (function == FUNCTION_NONE || !profile_get_function(profile, function))
				return false;
			add_capped(&profile_get_function(profile, function)->self, sample->weight);
			add_capped(&profile_get_function(profile, function)->total, sample->weight);
			add_capped(&profile->tree.nodes[profile->tree.root].self, sample->weight);
		}
		good = estimates_add(&profile->estimates, &thread->run, function, sample->weight);
		profile->estimates.stacks[sample->stack]++;
		add_capped(&profile->total, sample->weight);
		add_capped(&thread->row.sampled, sample->weight);
		thread->row.samples++;
		if (!thread->row.first_ticks)
			thread->row.first_ticks = sample->ticks;
		thread->row.last_ticks = sample->ticks;
	}
	profile->has_samples |= message->count > 0;
	if (!good)
		return false;
	carry_outwards(paths, message);
	if (!find_repeated(paths, message))
		return false;
	count(paths, context, message);
	return true;
}

void sample_paths_clear(struct sample_paths *paths)
{
	free(paths->paths);
	free(paths->on_path);
	*paths = (struct sample_paths){0};
}
