/* weights: adds paths with a sum, such as folded stacks, to the profile. */
#include "model/profile/weights.h"

#include <string.h>

#include "util/array.h"
#include "util/saturate.h"

void weights_clear(struct weights *weights)
{
	free(weights->frames);
	free(weights->nodes);
	free(weights->seen);
	*weights = (struct weights){0};
}

/* Adds the function to the path's set of functions. Returns whether it is new there; false, too, without memory. */
static bool first_on_path(struct weights *weights, uint32_t function)
{
	size_t words = weights->seen_words;
	uint64_t bit = UINT64_C(1) << function % 64;

	if (function / 64 >= words) {
		if (!array_reserve(&weights->seen, &weights->seen_words, function / 64 + 1, sizeof *weights->seen))
			return false;
		memset(weights->seen + words, 0, (weights->seen_words - words) * sizeof *weights->seen);
	}
	if (weights->seen[function / 64] & bit)
		return false;
	weights->seen[function / 64] |= bit;
	return true;
}

static uint32_t function_on_path(struct functions *functions, const struct message_weight *message, uint32_t index)
{
	if (message->names)
		return functions_find_name(functions, message->names[index]);
	return functions_find(functions, 0, message->places[index], 0);
}

void weights_settle(struct weights *weights, struct profile *profile, size_t depth)
{
	while (weights->count > depth) {
		const struct weights_frame *frame = &weights->frames[--weights->count];

		if (!tree_is_other(&profile->tree, frame->node))
			saturate_add(&profile->tree.nodes[frame->node].total, frame->weight);
		if (frame->is_first) {
			saturate_add(&profile_get_function(profile, frame->function)->total, frame->weight);
			weights->seen[frame->function / 64] &= ~(UINT64_C(1) << frame->function % 64);
		}
		if (weights->count)
			saturate_add(&weights->frames[weights->count - 1].weight, frame->weight);
	}
}

/* Makes room for another path; the paths of the frames stay. */
static void prune(struct weights *weights, struct tree *tree)
{

	if (!tree_is_due(tree) ||
		!array_reserve(&weights->nodes, &weights->node_capacity, weights->count + 1, sizeof *weights->nodes))
		return;
	for (size_t i = 0; i < weights->count; i++)
		weights->nodes[i] = weights->frames[i].node;
	tree_prune(tree, weights->nodes, weights->count);
	for (size_t i = 0; i < weights->count; i++)
		weights->frames[i].node = weights->nodes[i];
}

/* False: no memory, or no function. */
static bool push(struct weights *weights, struct profile *profile, uint32_t id)
{
	struct tree *tree = &profile->tree;
	const struct weights_frame *above;
	uint32_t node;

	if (id == FUNCTION_NONE || !profile_get_function(profile, id) ||
		!array_reserve(&weights->frames, &weights->capacity, weights->count + 1, sizeof *weights->frames))
		return false;
	above = weights->count ? &weights->frames[weights->count - 1] : NULL;
	node = tree_child(tree, above ? above->node : tree->root, id);
	if (!node && !(above && tree_is_other(tree, above->node)))
		prune(weights, tree);
	node = tree_path(tree, above ? above->node : tree->root, id);
	tree->folded_calls += tree_is_other(tree, node);
	weights->frames[weights->count++] = (struct weights_frame){
		.function = id,
		.node = node,
		.is_first = first_on_path(weights, id)};
	return true;
}

void weights_feed(
	struct weights *weights, struct functions *functions, struct profile *profile, const struct message_weight *message)
{
	struct weights_frame *innermost;

	weights_settle(weights, profile, message->kept < message->depth ? message->kept : message->depth);
	while (weights->count < message->depth)
		if (!push(weights, profile, function_on_path(functions, message, (uint32_t)weights->count))) {
			weights_settle(weights, profile, 0);
			return;
		}
	saturate_add(&profile->total, message->weight);
	if (!weights->count) {
		saturate_add(&profile->tree.nodes[profile->tree.root].self, message->weight);
		return;
	}
	innermost = &weights->frames[weights->count - 1];
	saturate_add(&innermost->weight, message->weight);
	saturate_add(&profile->tree.nodes[innermost->node].self, message->weight);
	if (tree_is_other(&profile->tree, innermost->node))
		saturate_add(&profile->tree.nodes[innermost->node].total, message->weight);
	saturate_add(&profile_get_function(profile, innermost->function)->self, message->weight);
}
