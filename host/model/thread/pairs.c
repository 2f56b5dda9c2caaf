/* pairs: finds and opens the nodes of a tree of pairs. */
#include "model/thread/pairs.h"

#include "model/thread/user_word.h"

/* The node above the callees of the function; made when it is new. */
static uint32_t find_caller(struct stack *stack, uint32_t function)
{
	struct stack_function *own = stack_find_function(stack, function);
	uint32_t node = own ? pairs_known_caller(stack, own, function) : TREE_NONE;

	if (node)
		return node;
	node = tree_child(&stack->tree, TREE_ROOT, function);
	if (own)
		own->caller_node = node & 0xffffff; /* only 24 bits: pairs_known_caller checks the guess */
	return node;
}

uint64_t pairs_enter(struct stack *stack, uint32_t index, uint32_t function)
{
	const struct dwell_frame *caller = index ? &stack->frames[index - 1] : NULL;
	uint32_t above = TREE_ROOT, node;

	if (caller && caller->id != DWELL_ID_UNKNOWN)
		above = find_caller(stack, (uint32_t)caller->id);
	else if (caller)
		above = find_caller(stack, stack->tree.nodes[caller->user & ACCOUNT_NODE].function);
	node = above ? tree_child(&stack->tree, above, function) : TREE_NONE;
	if (!node)
		return tree_other(&stack->tree, above ? above : TREE_ROOT) | ACCOUNT_FOLDED;
	if (!index)
		return node;
	if (stack->tree.nodes[node].is_open)
		return node | ACCOUNT_INNER;
	stack->tree.nodes[node].is_open = true;
	return node;
}

static bool has_off(const struct tree *tree, const struct tree_node *node)
{
	const struct tree_off *off = tree_get_off(tree, node);

	return !profile_off_cpu_is_none(&off->total) || !profile_off_cpu_is_none(&off->self);
}

uint32_t pairs_enclose(struct stack *stack, struct thread_context *context, uint32_t function)
{
	struct tree *tree = &stack->tree;
	uint32_t above = tree_child(tree, TREE_ROOT, function);

	if (!above)
		return tree_other(tree, TREE_ROOT);
	for (uint32_t at = tree->nodes[TREE_ROOT].first_child; at != TREE_NONE; at = tree->nodes[at].next_sibling) {
		const struct tree_node from = tree->nodes[at];

		if (tree_is_other(tree, at) || !(from.calls | from.total | from.self | has_off(tree, &from)))
			continue;
		if (!tree_move_numbers(tree, tree_path(tree, above, from.function), at))
			thread_out_of_memory(context);
	}
	return above;
}

void pairs_set_open(struct tree *tree, const struct dwell_frame *frames, uint32_t depth, bool is_open)
{
	for (uint32_t i = 0; i < depth; i++)
		if (pairs_is_opened_by(i, frames[i].user))
			tree->nodes[frames[i].user & ACCOUNT_NODE].is_open = is_open;
}
