/* pairs: the part of account.c for trees of pairs of functions (model/profile/tree_pairs.h). Also for packed_slots.c. */
#ifndef DWELL_HOST_MODEL_THREAD_PAIRS_H
#define DWELL_HOST_MODEL_THREAD_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread/stack_state.h"
#include "model/thread/user_word.h"

/* In a tree of pairs, the node above the callees of the function. TREE_NONE: not known yet. */
static inline uint32_t pairs_known_caller(const struct stack *stack, const struct stack_function *own, uint32_t function)
{
	uint32_t node = own->caller_node; /* maybe of an earlier tree: checked below */
	const struct tree_node *at = &stack->tree.nodes[node];

	return node < stack->tree.count && at->parent == TREE_ROOT && at->function == function ? node : TREE_NONE;
}

/* A frame of the function appeared at index. Returns its node, and ACCOUNT_INNER or ACCOUNT_FOLDED. */
uint64_t pairs_enter(struct stack *stack, uint32_t index, uint32_t function);

/* Whether the pair of functions is open because of the call at index, and not because of a call below it. */
static inline bool pairs_opens(uint32_t index, uint64_t user)
{
	return index && user & ACCOUNT_KNOWN && !(user & (ACCOUNT_INNER | ACCOUNT_FOLDED));
}

/* Sets is_open of these frames' pairs. Callers come first in frames. */
void pairs_set_open(struct tree *tree, const struct dwell_frame *frames, uint32_t depth, bool is_open);

/* A call of the function, found late, encloses all outermost calls so far: moves their figures below the function's node, and
 * returns that node. If the function had already called one of their functions in this call, the time in both counts twice. */
uint32_t pairs_enclose(struct stack *stack, uint32_t function);

#endif
