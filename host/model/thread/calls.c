/* calls: passes the begin and the end of each call to the profile and to the callbacks. */
#include "model/thread/calls.h"

#include "model/thread/account.h"
#include "model/thread/off_cpu.h"
#include "model/thread/user_word.h"

#define FRAMES_MAX (1u << 24) /* on one stack; the pairing only counts deeper calls */

void calls_reserve(struct stack *stack, uint32_t frames)
{
	uint32_t capacity = stack->pair.capacity;

	if (stack->pair.capacity - stack->pair.depth >= frames)
		return;
	while (capacity - stack->pair.depth < frames && capacity < FRAMES_MAX)
		capacity *= 2;
	stack_grow_frames(stack, capacity);
}

static uint32_t unknown_function(struct thread_context *context)
{
	if (context->unknown_id == FUNCTION_NONE)
		context->unknown_id = functions_find_name(context->functions, "(unknown)");
	return context->unknown_id;
}

/* The function id for an id of the pairing: "(unknown)" for DWELL_ID_UNKNOWN. */
static uint32_t function_of(struct thread_context *context, uint64_t id)
{
	return id == DWELL_ID_UNKNOWN ? unknown_function(context) : (uint32_t)id;
}

static inline struct call make_call(const struct stack *stack, struct thread_context *context, uint32_t index, uint64_t id)
{
	return (struct call){
		.stream = stack->row.stream,
		.function = function_of(context, id),
		.parent = index ? function_of(context, stack->frames[index - 1].id) : FUNCTION_NONE,
		.depth = index,
	};
}

void calls_enter(struct stack *stack, struct thread_context *context, uint32_t index)
{
	struct dwell_frame *frame = &stack->frames[index];
	uint64_t user = 0;

	if (context->options.want_values)
		values_enter(&stack->values, index, stack->pair.capacity);
	if (context->options.want_profile)
		user = account_enter(stack, context, index, function_of(context, frame->id), frame->id == DWELL_ID_UNKNOWN);
	if (context->options.on_enter) {
		struct call call = make_call(stack, context, index, frame->id);

		call.enter_ticks = frame->enter_ticks;
		call.flags = frame->flags;
		user |= (uint64_t)context->options.on_enter(context->options.context, &call) << THREAD_TAG_SHIFT;
	} else if (context->options.on_call) {
		user |= (uint64_t)MODEL_TAG_ENTERED << THREAD_TAG_SHIFT;
	}
	frame->user = user;
}

void calls_enter_from(struct stack *stack, struct thread_context *context, uint32_t index)
{
	for (; index < stack->pair.depth; index++)
		calls_enter(stack, context, index);
}

/* Subtracts from the call's total the time for which the recorder held the thread up. */
static void subtract_held(struct dwell_call *left, uint64_t held_ticks)
{
	uint64_t others_ticks = left->total_ticks - left->self_ticks;

	left->total_ticks -= held_ticks < others_ticks ? held_ticks : others_ticks;
}

/* Passes a finished call to on_call. off: the time charged to the call; null: none. */
static inline void pass_to_on_call(
	struct stack *stack, struct thread_context *context, const struct dwell_call *left, const struct off_cpu_frame *off)
{
	struct call call = make_call(stack, context, left->depth, left->id);

	call.flags = left->flags;
	call.tag = (uint32_t)(left->user >> THREAD_TAG_SHIFT);
	call.enter_ticks = left->enter_ticks;
	call.exit_ticks = left->exit_ticks;
	call.total_ticks = left->total_ticks;
	call.self_ticks = left->self_ticks;
	if (off) {
		call.total_off = off->total;
		call.self_off = off->self;
	}
	call.values = context->options.want_values ? values_leave(&stack->values, left) : NULL;
	call.off_cpu_unknown = !stack->off_cpu.told || stack->off_cpu.late;
	context->options.on_call(context->options.context, &call);
}

/* Ends a call that has time off the CPU, of its own or of a callee, or in which the recorder held the thread up. Not inlined: the
 * case is rare, and its locals would cost the frequent case stack and registers. */
static __attribute__((noinline)) void leave_charged(
	struct stack *stack, struct thread_context *context, struct dwell_call *left)
{
	uint32_t function = function_of(context, left->id);
	size_t ends = stack->off_cpu.end_count;
	struct off_cpu_frame off = off_cpu_leave(&stack->off_cpu, left, function);
	struct off_cpu_end *end = stack->off_cpu.end_count != ends ? &stack->off_cpu.ends[ends] : NULL;

	subtract_held(left, off.total.held_ticks);
	if (context->options.want_profile) {
		if (account_leave(stack, context, left, function, end) && end) /* an unnamed frame cannot have this flag */
			end->user |= ACCOUNT_OUTERMOST;
		account_leave_off_cpu(stack, context, left, function, &off);
	}
	if (context->options.on_call)
		pass_to_on_call(stack, context, left, &off);
}

void calls_leave(struct stack *stack, struct thread_context *context, struct dwell_call *left)
{
	stack->row.calls += !(left->flags & DWELL_CALL_PIECE);
	if (DWELL_RARELY(left->depth < stack->off_cpu.depth)) {
		leave_charged(stack, context, left);
		return;
	}
	if (context->options.want_profile)
		account_leave(stack, context, left, function_of(context, left->id), NULL);
	if (context->options.on_call)
		pass_to_on_call(stack, context, left, NULL);
}

void calls_leave_due(struct stack *stack, struct thread_context *context)
{
	struct dwell_call call;

	while (dwell_pair_pop(&stack->pair, &call))
		calls_leave(stack, context, &call);
}

void calls_end_section(struct stack *stack, struct thread_context *context)
{
	if (!stack->pair.depth && dwell_pair_is_waiting(&stack->pair) && context->options.want_profile)
		account_close_section(stack, context);
}

void calls_leave_all(struct stack *stack, struct thread_context *context)
{
	stack->pushes_pending = stack->has_site = false;
	dwell_pair_leave_all(&stack->pair);
	calls_leave_due(stack, context);
	off_cpu_settle(stack, context, 0);
	calls_end_section(stack, context);
}

struct call calls_get_open(const struct stack *stack, const struct thread_context *context, uint32_t index)
{
	const struct dwell_frame *frame = &stack->frames[index];

	return (struct call){
		.stream = stack->row.stream,
		.function = frame->id == DWELL_ID_UNKNOWN ? context->unknown_id : (uint32_t)frame->id,
		.parent = FUNCTION_NONE,
		.depth = index,
		.flags = frame->flags,
		.tag = (uint32_t)(frame->user >> THREAD_TAG_SHIFT),
		.enter_ticks = frame->enter_ticks,
		.total_ticks = frame->child_ticks,
		.values = values_of(&stack->values, index),
	};
}

void calls_tag_open(struct stack *stack, uint32_t index, uint32_t tag)
{
	struct dwell_frame *frame = &stack->frames[index];

	frame->user = (frame->user & UINT32_MAX) | (uint64_t)tag << THREAD_TAG_SHIFT;
}
