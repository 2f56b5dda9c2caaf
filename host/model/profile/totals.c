/* totals: calls that a machine added up itself. They have a row of their function and a node under the root of the tree: who called them is
 * not known. */
#include "model/thread/thread.h"

static void add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

static void add_node(struct tree *tree, uint32_t id, const struct message_total *total)
{
	uint32_t node = tree_child(tree, tree->root, id);

	if (!node) {
		tree->folded_calls += total->calls;
		add(&tree->nodes[tree->root].self, total->self_ticks);
		return;
	}
	add(&tree->nodes[node].calls, total->calls);
	add(&tree->nodes[node].self, total->self_ticks);
	add(&tree->nodes[node].total, total->total_ticks);
}

void thread_add_total(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, const struct message_total *total)
{
	uint32_t id = functions_find(context->functions, thread->row.process, (struct place){kind, total->place}, 0);
	struct profile_function *row = id == FUNCTION_NONE ? NULL : profile_get_function(context->profile, id);

	if (!row) {
		thread_starve(context);
		return;
	}
	/* What is too much to be true is no more than what has room, so that all sums still agree. */
	if (total->self_ticks > UINT64_MAX / 2 - thread->added_ticks)
		return;
	add(&row->calls, total->calls);
	add(&row->self, total->self_ticks);
	add(&row->total, total->total_ticks);
	add(&thread->row.calls, total->calls);
	thread->added_ticks += total->self_ticks;
	if (!by_thread_add(&context->profile->by_thread,
		    &(struct by_thread_row){thread->row.stream, id, total->calls, 0, total->self_ticks, 0, 0, 0}))
		thread_starve(context);
	if (!context->options.no_tree && context->profile->has_times)
		add_node(&context->profile->tree, id, total);
}
