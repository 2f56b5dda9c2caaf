/* pairs: finds the tree node of a call, if the tree has pairs of functions in place of paths (model/profile/tree_pairs.h). For
 * account.c and packed_slots.c. */
#ifndef DWELL_HOST_MODEL_THREAD_PAIRS_H
#define DWELL_HOST_MODEL_THREAD_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread/stack_state.h"
#include "model/thread/user_word.h"

/* The function's node below the root, whose children are the function's callees. TREE_NONE: own has no valid guess. */
static inline uint32_t pairs_known_caller(const struct stack *stack, const struct stack_function *own, uint32_t function)
{
	uint32_t node = own->caller_node; /* maybe of an earlier tree: checked below */
	const struct tree_node *at = &stack->tree.nodes[node];

	return node < stack->tree.count && at->parent == TREE_ROOT && at->function == function ? node : TREE_NONE;
}

/* A frame of the function appeared at index. Returns its node, and ACCOUNT_INNER or ACCOUNT_FOLDED. */
uint64_t pairs_enter(struct stack *stack, uint32_t index, uint32_t function);

/* Whether the call at index opened its pair of functions. If not, an earlier call below it on the stack did, or it has no pair. */
static inline bool pairs_is_opened_by(uint32_t index, uint64_t user)
{
	return index && user & ACCOUNT_KNOWN && !(user & (ACCOUNT_INNER | ACCOUNT_FOLDED));
}

/* Sets is_open of the pairs that these frames opened. Callers come first in frames. */
void pairs_set_open(struct tree *tree, const struct dwell_frame *frames, uint32_t depth, bool is_open);

/* A call of the function, found late, encloses all outermost calls so far: moves their figures below the function's node, and
 * returns that node. If the function had already called one of their functions in this call, the time in both counts twice. */
uint32_t pairs_enclose(struct stack *stack, struct thread_context *context, uint32_t function);

#endif
