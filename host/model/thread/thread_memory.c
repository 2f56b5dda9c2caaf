/* thread_memory: allocates and frees the threads and stacks of a model. */
#include <stdlib.h>

#include "model/thread/account.h"
#include "model/thread/off_cpu.h"
#include "model/thread/stack.h"
#include "model/thread/thread.h"

static void init_stack(struct stack *stack, uint32_t stream)
{
	stack->row.stream = stream;
	stack->off_cpu.next_ticks = UINT64_MAX;
}

struct thread *make_thread(uint32_t stream)
{
	struct thread *thread = calloc(1, sizeof *thread);

	if (thread)
		init_stack(&thread->own, stream);
	return thread;
}

struct stack *make_stack(uint32_t stream)
{
	struct stack *stack = calloc(1, sizeof *stack);

	if (stack)
		init_stack(stack, stream);
	return stack;
}

static void clear_stack(struct stack *stack)
{
	free(stack->frames);
	free(stack->entered);
	stack_forget_functions(stack);
	tree_free(&stack->tree);
	off_cpu_clear(&stack->off_cpu);
	values_clear(&stack->values);
}

void free_stack(struct stack *stack)
{
	clear_stack(stack);
	free(stack);
}

/* Frees all stacks but the thread's own. */
static void clear_stacks(struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++)
		free_stack(stacks->list[i]);
	free(stacks->list);
	*stacks = (struct stacks){0};
}

void free_thread(struct thread *thread)
{
	if (!thread)
		return;
	clear_stacks(&thread->stacks);
	clear_stack(&thread->own);
	estimate_blocks_clear(&thread->blocks);
	free(thread);
}

void thread_shrink(struct thread *thread, struct thread_context *context)
{
	struct stack *stack = &thread->own;

	if (!stack->frames || stack->pair.depth || stack->pushes_pending || thread->stacks.count)
		return;
	if (context->options.want_profile) {
		account_close_section(stack, context);
		account_settle(stack, context);
	}
	clear_stack(stack);
	stack->frames = NULL;
	stack->entered = NULL;
}

void thread_reset(struct thread *thread)
{
	struct stack *stack = &thread->own;
	struct thread empty = {.own = {.frames = stack->frames,
				       .entered = stack->entered,
				       .tree = stack->tree,
				       .off_cpu.next_ticks = UINT64_MAX}};

	off_cpu_clear(&stack->off_cpu);
	values_clear(&stack->values);
	stack_forget_functions(stack);
	if (empty.own.tree.nodes) {
		tree_clear(&empty.own.tree);
		empty.own.tree.patience = 0;
	}
	if (empty.own.frames)
		dwell_pair_init(&empty.own.pair, empty.own.frames, stack->pair.capacity);
	clear_stacks(&thread->stacks);
	*thread = empty;
}
