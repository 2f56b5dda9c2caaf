/* account_rows: the rows of functions, counted from the paths of a section, each once, in place of at each call. For account.c. */
#include "model/thread/account.h"

/* The path begins: all below it is in a call of its function. */
static void begin_path(struct thread *thread, struct profile_function *rows, struct tree_node *node)
{
	struct tree_node *parent = &thread->tree.nodes[node->parent];
	struct thread_function *own = thread_get_function(thread, node->function), *caller = thread_find_function(thread, parent->function);
	struct profile_function *row = &rows[node->function];

	row->calls += node->calls;
	row->self += node->self;
	own->calls += node->calls;
	own->self += node->self;
	if (caller)
		caller->made += node->calls;
	node->recent_child = !own->active;
	if (!own->active)
		account_add_outermost(thread, node->function, row, node->total);
	own->active = true;
}

/* Where recent_child says so, it was the outermost one of its function. Then it is a guess again: none. */
static void end_path(struct thread *thread, struct tree_node *node)
{
	if (node->recent_child)
		thread_get_function(thread, node->function)->active = false;
	node->recent_child = TREE_NONE;
}

void account_count_rows(struct thread *thread, struct thread_context *context)
{
	struct tree *tree = &thread->tree;
	uint32_t at = tree->nodes[tree->root].first_child;

	while (at) {
		begin_path(thread, context->profile->functions, &tree->nodes[at]);
		if (tree->nodes[at].first_child) {
			at = tree->nodes[at].first_child;
			continue;
		}
		end_path(thread, &tree->nodes[at]);
		while (at != tree->root && !tree->nodes[at].next_sibling) {
			at = tree->nodes[at].parent;
			if (at != tree->root)
				end_path(thread, &tree->nodes[at]);
		}
		at = at == tree->root ? TREE_NONE : tree->nodes[at].next_sibling;
	}
}

void account_go_by_rows(struct thread *thread, struct thread_context *context, uint32_t depth)
{
	account_count_rows(thread, context);
	thread->by_rows = true;
	for (uint32_t i = 0; i < depth; i++) {
		struct dwell_frame *frame = &thread->frames[i];
		struct thread_function *own = thread_get_function(thread, frame->id);

		frame->user &= ~ACCOUNT_OUTERMOST;
		if (own->active)
			continue;
		own->active = true;
		frame->user |= ACCOUNT_OUTERMOST;
	}
}
