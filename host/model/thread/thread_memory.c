/* thread_memory: what a thread of a model takes, and gives back. */
#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off.h"
#include "model/thread/stacks.h"
#include "model/thread/thread.h"

bool thread_starve(struct thread_context *context)
{
	if (!context->starved)
		diag_add(context->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: from here on events are not counted");
	context->starved = true;
	return false;
}

struct thread *make_thread(uint32_t stream)
{
	struct thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->row.stream = stream;
	thread->off.next_ticks = UINT64_MAX;
	return thread;
}

bool thread_reserve_function(struct thread *thread, uint64_t id)
{
	struct thread_functions *functions = &thread->functions;
	size_t page = (size_t)(id / THREAD_PAGE), count = functions->page_count ? functions->page_count : 1;

	while (count <= page)
		count *= 2;
	if (count > functions->page_count) {
		struct thread_function **grown = realloc(functions->pages, count * sizeof *grown);

		if (!grown)
			return false;
		memset(grown + functions->page_count, 0, (count - functions->page_count) * sizeof *grown);
		functions->pages = grown;
		functions->page_count = count;
	}
	if (!functions->pages[page])
		functions->pages[page] = calloc(THREAD_PAGE, sizeof *functions->pages[page]);
	return functions->pages[page];
}

void thread_forget_functions(struct thread *thread)
{
	for (size_t page = 0; page < thread->functions.page_count; page++)
		free(thread->functions.pages[page]);
	free(thread->functions.pages);
	thread->functions = (struct thread_functions){0};
}

void free_thread(struct thread *thread)
{
	if (!thread)
		return;
	stacks_clear(thread);
	free(thread->frames);
	thread_forget_functions(thread);
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
	thread_forget_functions(thread);
	free(thread->frames);
	thread->frames = NULL;
}
