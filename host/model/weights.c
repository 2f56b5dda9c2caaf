#include "model/weights.h"

#include <string.h>

#include "model/whole.h"
#include "util/array.h"

static void add_capped(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* Whether the function was not on the path so far. */
static bool first_on_path(struct model *model, uint32_t function)
{
	size_t words = model->seen_words;
	uint64_t bit = UINT64_C(1) << function % 64;

	if (function / 64 >= words) {
		if (!array_reserve(&model->seen, &model->seen_words, function / 64 + 1, sizeof *model->seen))
			return false;
		memset(model->seen + words, 0, (model->seen_words - words) * sizeof *model->seen);
	}
	if (model->seen[function / 64] & bit)
		return false;
	model->seen[function / 64] |= bit;
	return true;
}

static uint32_t function_on_path(struct model *model, const struct message_weight *message, uint32_t index)
{
	if (message->names)
		return functions_find_name(model->context.functions, message->names[index]);
	return functions_find(model->context.functions, 0, message->places[index], 0);
}

void weights_feed(struct model *model, const struct message_weight *message)
{
	struct profile *profile = model->context.profile;
	uint32_t node = profile->tree.root;

	for (uint32_t i = 0; i < message->depth; i++) {
		uint32_t id = function_on_path(model, message, i), child;
		struct profile_function *function = id == FUNCTION_NONE ? NULL : profile_get_function(profile, id);

		if (!function)
			return;
		if (tree_is_full(&profile->tree))
			tree_prune(&profile->tree, &node, 1);
		child = tree_child(&profile->tree, node, id);
		if (child)
			add_capped(&profile->tree.nodes[child].total, message->weight);
		else
			profile->tree.folded_calls++;
		node = child ? child : node;
		if (first_on_path(model, id))
			add_capped(&function->total, message->weight);
		if (i + 1 == message->depth)
			add_capped(&function->self, message->weight);
	}
	add_capped(&profile->tree.nodes[node].self, message->weight);
	add_capped(&profile->total, message->weight);
	for (uint32_t i = 0; i < message->depth; i++) {
		uint32_t id = function_on_path(model, message, i);

		if (id != FUNCTION_NONE && id / 64 < model->seen_words)
			model->seen[id / 64] = 0;
	}
}
