/* checkpoint_match: compares a checkpoint with the open calls, frame by frame. checkpoint_match.h says why. */
#include "model/thread/checkpoint_match.h"

/* Whether the checkpoint's frame and the open frame are of one function, or of an unknown function both. */
static bool is_same_function(const struct stack *stack, struct thread_context *context, const struct message_checkpoint *message,
	const struct message_frame *recorded, const struct dwell_frame *frame)
{
	uint32_t mark = stack_place_mark(recorded->place);

	if (recorded->no_place || frame->id == DWELL_ID_UNKNOWN)
		return recorded->no_place && frame->id == DWELL_ID_UNKNOWN;
	if (mark && frame->reserved == mark)
		return true;
	return frame->id == functions_find(context->functions, stack->row.process,
				    (struct place){message->place_kind, recorded->place}, message->ticks);
}

/* Whether the stack's open frames are the checkpoint's frames from index at on. */
static bool is_same_stack(const struct stack *stack, struct thread_context *context, const struct message_checkpoint *message,
	uint32_t at, const struct stack *running)
{
	const struct dwell_pair *pair = &stack->pair;

	if (pair->beyond || message->count - at < pair->depth)
		return false;
	for (uint32_t i = 0; i < pair->depth; i++) {
		const struct message_frame *recorded = &message->frames[at + i];
		const struct dwell_frame *frame = &stack->frames[i];
		uint64_t child_ticks = frame->child_ticks;

		/* In a checkpoint, the time since a stack was suspended is child_ticks of its innermost call. */
		if (stack != running && i + 1 == pair->depth)
			child_ticks +=
				pair->wait_stopped_ticks + pair->wait_lost_ticks + running->pair.last_ticks - pair->last_ticks;
		if (recorded->stack != stack->number || recorded->enter_ticks != frame->enter_ticks ||
			recorded->child_ticks != child_ticks || !is_same_function(stack, context, message, recorded, frame))
			return false;
	}
	return true;
}

bool checkpoint_matches_thread(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	const struct stack *running = thread_get_running(thread);
	uint32_t at = 0;

	for (size_t i = 0; i <= thread->stacks.count; i++) {
		const struct stack *stack = thread_get_stack(thread, i);

		if (!is_same_stack(stack, context, message, at, running))
			return false;
		at += stack->pair.depth;
	}
	return at == message->count;
}
