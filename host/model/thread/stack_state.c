/* stack_state: the memory of a stack's frames and counters. */
#include "model/thread/stack_state.h"

#include <stdlib.h>
#include <string.h>

bool thread_out_of_memory(struct thread_context *context)
{
	if (!context->starved)
		diag_add(context->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: from here on events are not counted");
	context->starved = true;
	return false;
}

bool stack_grow_frames(struct stack *stack, uint32_t capacity)
{
	uint64_t *entered = realloc(stack->entered, (capacity + (size_t)1) * sizeof *entered);
	struct dwell_frame *frames;

	if (!entered)
		return false;
	stack->entered = entered;
	frames = realloc(stack->frames, capacity * sizeof *frames);
	if (!frames)
		return false;
	stack->frames = frames;
	dwell_pair_grow(&stack->pair, frames, capacity);
	return true;
}

_Static_assert(sizeof(struct stack_function) == PROFILE_LINE_BYTES, "what each call of a function changes is in one line");

bool stack_reserve_function(struct stack *stack, uint64_t id)
{
	struct stack_functions *functions = &stack->functions;
	size_t page = (size_t)(id / STACK_PAGE), count = functions->page_count ? functions->page_count : 1;

	while (count <= page)
		count *= 2;
	if (count > functions->page_count) {
		struct stack_function **grown = realloc(functions->pages, count * sizeof *grown);

		if (!grown)
			return false;
		memset(grown + functions->page_count, 0, (count - functions->page_count) * sizeof *grown);
		functions->pages = grown;
		functions->page_count = count;
	}
	if (functions->pages[page])
		return true;
	functions->pages[page] = aligned_alloc(PROFILE_LINE_BYTES, STACK_PAGE * sizeof *functions->pages[page]);
	if (functions->pages[page])
		memset(functions->pages[page], 0, STACK_PAGE * sizeof *functions->pages[page]);
	return functions->pages[page];
}

void stack_forget_functions(struct stack *stack)
{
	for (size_t page = 0; page < stack->functions.page_count; page++)
		free(stack->functions.pages[page]);
	free(stack->functions.pages);
	stack->functions = (struct stack_functions){0};
}
