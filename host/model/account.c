#include "model/account.h"

#include <stdlib.h>
#include <string.h>

/* The low half of the user word. */
#define USER_NODE UINT64_C(0x0fffffff) /* its node in the thread's tree */
#define USER_KNOWN (UINT64_C(1) << 28) /* the profile knows of it */
#define USER_OUTERMOST (UINT64_C(1) << 29) /* no other frame of its function is below */
#define USER_UNNAMED (UINT64_C(1) << 30) /* its function was not known when it was entered */
#define USER_FOLDED (UINT64_C(1) << 31) /* its path found no room: the node is that of a caller */

static bool is_active(const struct thread *thread, uint32_t function)
{
	return function / 64 < thread->active_words && thread->active[function / 64] >> function % 64 & 1;
}

/* Room for the function in everything that is indexed by functions. */
static bool reserve_function(struct thread *thread, struct thread_context *context, uint32_t function)
{
	size_t words = thread->active_words ? thread->active_words : 4;
	uint64_t *grown;

	if (function >= context->profile->function_count && !profile_get_function(context->profile, function))
		return thread_starve(context);
	if (function / 64 < thread->active_words)
		return true;
	while (words <= function / 64)
		words *= 2;
	grown = realloc(thread->active, words * sizeof *grown);
	if (!grown)
		return thread_starve(context);
	memset(grown + thread->active_words, 0, (words - thread->active_words) * sizeof *grown);
	thread->active = grown;
	thread->active_words = words;
	return true;
}

/* Room for another path; those of the first depth frames stay. */
static bool prune(struct thread *thread, uint32_t depth)
{
	uint32_t *nodes;
	bool room;

	if (!tree_is_full(&thread->tree) || thread->tree.patience > 1) {
		thread->tree.patience -= thread->tree.patience > 1;
		return false;
	}
	nodes = malloc((depth ? depth : 1) * sizeof *nodes);
	if (!nodes)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		nodes[i] = (uint32_t)(thread->frames[i].user & USER_NODE);
	room = tree_prune(&thread->tree, nodes, depth);
	for (uint32_t i = 0; i < depth; i++)
		thread->frames[i].user = (thread->frames[i].user & ~USER_NODE) | nodes[i];
	free(nodes);
	return room;
}

uint64_t account_enter(
	struct thread *thread, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed)
{
	uint32_t parent = index ? (uint32_t)(thread->frames[index - 1].user & USER_NODE) : thread->tree.root;
	bool folded = index && thread->frames[index - 1].user & USER_FOLDED; /* then so is what it calls */
	uint32_t node = folded ? TREE_NONE : tree_child(&thread->tree, parent, function);
	uint64_t user;

	if (__builtin_expect(!node, 0) && !folded && prune(thread, index)) {
		parent = index ? (uint32_t)(thread->frames[index - 1].user & USER_NODE) : thread->tree.root;
		node = tree_child(&thread->tree, parent, function);
	}
	user = node ? node | USER_KNOWN : parent | USER_KNOWN | USER_FOLDED;

	if (unnamed)
		return user | USER_UNNAMED;
	if (__builtin_expect(function / 64 >= thread->active_words || function >= context->profile->function_count, 0) &&
		!reserve_function(thread, context, function))
		return user | USER_UNNAMED; /* account_leave tries again */
	if (!is_active(thread, function)) {
		thread->active[function / 64] |= UINT64_C(1) << function % 64;
		user |= USER_OUTERMOST;
	}
	return user;
}

/* A call that nobody saw begin: all that this thread did since its data began was in it. Its node becomes the root of that. Calls
 * of the same function in it were counted as outermost, and are not. */
static uint32_t enclose(struct thread *thread, struct thread_context *context, uint32_t function, struct profile_function *row)
{
	if (context->walk_left >= thread->tree.count) {
		context->walk_left -= thread->tree.count;
		row->total -= tree_total_of(&thread->tree, function);
	}
	return tree_enclose(&thread->tree, function);
}

static void count_flags(struct thread *thread, struct profile_function *row, uint32_t flags)
{
	thread->row.no_entry_calls += (flags & DWELL_CALL_NO_ENTRY) != 0;
	thread->row.gap_calls += (flags & DWELL_CALL_GAP) != 0;
	thread->row.open_calls += (flags & DWELL_CALL_OPEN) != 0;
	row->open_calls += (flags & DWELL_CALL_OPEN) != 0;
}

void account_leave(
	struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function)
{
	bool outermost = call->user & USER_OUTERMOST;
	uint32_t node = (uint32_t)(call->user & USER_NODE);
	struct profile_function *row;

	if (__builtin_expect(!outermost && !(call->user & USER_KNOWN && !(call->user & USER_UNNAMED)), 0)) {
		if (!reserve_function(thread, context, function))
			return;
		outermost = !is_active(thread, function);
	}
	row = &context->profile->functions[function];
	if (call->user & USER_OUTERMOST)
		thread->active[function / 64] &= ~(UINT64_C(1) << function % 64);
	if (__builtin_expect(!(call->user & USER_KNOWN), 0)) {
		node = enclose(thread, context, function, row);
		if (!node) {
			thread->tree.nodes[thread->tree.root].self += call->self_ticks;
			thread->tree.folded_calls++;
		}
	}
	if (__builtin_expect((call->user & USER_FOLDED) != 0, 0)) {
		thread->tree.nodes[node].self += call->self_ticks;
		thread->tree.folded_calls++;
	} else if (node) {
		struct tree_node *at = &thread->tree.nodes[node];

		at->calls++;
		at->total += call->total_ticks;
		at->self += call->self_ticks;
	}
	row->calls++;
	row->self += call->self_ticks;
	if (outermost)
		row->total += call->total_ticks;
	if (__builtin_expect(call->flags != 0, 0))
		count_flags(thread, row, call->flags);
	if (!profile_add_duration(row, call->total_ticks, !(call->flags & ~(uint32_t)DWELL_CALL_UNWOUND)))
		thread_starve(context);
}

void account_close_section(struct thread *thread, struct thread_context *context)
{
	if (thread->tree.count <= TREE_ROOT + 1 && !thread->tree.nodes[TREE_ROOT].self)
		return;
	if (!tree_merge(&context->profile->tree, &thread->tree))
		thread_starve(context);
	tree_clear(&thread->tree);
}
