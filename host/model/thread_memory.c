/* thread_memory: what a thread of a model takes, and gives back. */
#include <stdlib.h>

#include "model/account.h"
#include "model/thread.h"

struct thread *make_thread(uint32_t stream)
{
	struct thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->row.stream = stream;
	thread->off.next_ticks = UINT64_MAX;
	return thread;
}

void free_thread(struct thread *thread)
{
	if (!thread)
		return;
	stacks_clear(thread);
	free(thread->frames);
	free(thread->functions);
	tree_free(&thread->tree);
	off_clear(&thread->off);
	values_clear(&thread->values);
	estimate_run_clear(&thread->run);
	free(thread);
}

void thread_shrink(struct thread *thread, struct thread_context *context)
{
	if (!thread->frames || thread->pair.depth || thread->pushes_wait || thread->stacks.count)
		return;
	if (context->options.want_profile) {
		account_close_section(thread, context);
		account_settle(thread, context);
	}
	tree_free(&thread->tree);
	off_clear(&thread->off);
	values_clear(&thread->values);
	free(thread->functions);
	free(thread->frames);
	thread->functions = NULL;
	thread->function_count = 0;
	thread->frames = NULL;
}
