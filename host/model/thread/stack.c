/* stack: feeds events to one stack's pairing, and takes checkpoints. */
#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/calls.h"
#include "model/thread/entries.h"
#include "model/thread/landing.h"
#include "model/thread/off_cpu.h"
#include "model/thread/stack.h"

#define FRAMES_FIRST 64u

/* Allocates what a stack needs for events, but a thread with only a name does not. */
static bool allocate_stack(struct stack *stack, struct thread_context *context)
{
	if (!stack->frames) {
		if (!stack->pair.capacity)
			dwell_pair_init(&stack->pair, NULL, FRAMES_FIRST);
		if (!stack_grow_frames(stack, FRAMES_FIRST)) /* first use, or again after thread_shrink */
			return thread_out_of_memory(context);
	}
	stack->pair.is_copy = stack->is_copy;
	if (context->options.want_profile && !context->options.no_tree && !stack->tree.nodes &&
		!tree_init(&stack->tree, &context->room)) {
		tree_free(&stack->tree);
		return thread_out_of_memory(context);
	}
	return true;
}

/* Frames that a gap left open (LOST_PUSHES) begin at ticks, with unknown functions. */
static void begin_pushed_calls(struct stack *stack, struct thread_context *context, uint64_t ticks)
{
	uint32_t depth = stack->pair.depth;

	stack->pushes_pending = false;
	stack->unnamed = true;
	dwell_pair_advance(&stack->pair, ticks);
	if (!dwell_pair_is_landing(&stack->pair))
		off_cpu_settle(stack, context, depth);
	calls_enter_from(stack, context, depth);
}

/* The events LOST, LOST_POPS and LOST_PUSHES. */
static void feed_loss(struct stack *stack, struct thread_context *context, const struct event *event)
{
	uint32_t count = event->value < UINT32_MAX ? (uint32_t)event->value : UINT32_MAX;

	off_cpu_begin_gap(&stack->off_cpu);
	if (event->kind == EVENT_LOST) {
		dwell_pair_lost(&stack->pair, event->value, 0, 0);
		stack->unsure = true;
	} else if (event->kind == EVENT_LOST_POPS) {
		dwell_pair_lost(&stack->pair, 0, count, 0);
	} else {
		if (count <= DWELL_PAIR_PUSHES_MAX)
			calls_reserve(stack, count);
		dwell_pair_lost(&stack->pair, 0, 0, count);
		stack->pushes_pending = true;
	}
	calls_leave_due(stack, context);
}

/* All events but enter, exit and ENTRY. */
static void feed_rare(
	struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, const struct event *event)
{
	uint64_t held_ticks;

	stack->landed_may_follow &= event->kind == EVENT_LANDED;
	switch (event->kind) {
	case EVENT_UNWIND_JUMP:
	case EVENT_UNWIND_CATCH:
		stack->has_site = stack->misfit = false;
		stack->above = 0;
		stack->landed_may_follow = true;
		off_cpu_settle(stack, context, stack->pair.depth);
		stack->off_cpu.watch = true;
		dwell_pair_unwind(&stack->pair, event->ticks);
		break;
	case EVENT_CALLER:
		stack->has_site = true;
		stack->site = event->value;
		return;
	case EVENT_LANDED:
		landing_take(stack, context, kind, (uint32_t)event->value, event->ticks);
		return;
	case EVENT_LOST:
	case EVENT_LOST_POPS:
	case EVENT_LOST_PUSHES:
		feed_loss(stack, context, event);
		break;
	case EVENT_STOP:
		off_cpu_stop(&stack->off_cpu);
		dwell_pair_stop(&stack->pair, event->ticks);
		break;
	case EVENT_RESUME:
		off_cpu_go_on(&stack->off_cpu);
		dwell_pair_continue(&stack->pair, event->ticks);
		return;
	case EVENT_HELD:
		off_cpu_hold(&stack->off_cpu);
		dwell_pair_held(&stack->pair, event->ticks);
		return;
	case EVENT_HELD_END:
		held_ticks = stack->pair.held_ticks;
		dwell_pair_held_end(&stack->pair, event->ticks);
		off_cpu_hold_end(stack, context, stack->pair.held_ticks - held_ticks);
		return;
	case EVENT_ARG:
		values_add(&stack->values, &event->value);
		return;
	case EVENT_NO_ARG:
		values_add(&stack->values, NULL);
		return;
	case EVENT_RETURNS_TO:
		values_set_return_address(&stack->values, event->value);
		return;
	case EVENT_RET:
	case EVENT_STACK:
		return;
	case EVENT_ENTER:
	case EVENT_EXIT:
	case EVENT_ENTRY:
		return;
	}
	calls_end_section(stack, context);
}

/* Feeds an exit after a gap, stop or unwind: the exit shows the call for the waiting time off the CPU. */
static void feed_watched_exit(struct stack *stack, struct thread_context *context, uint32_t id, uint64_t ticks)
{
	struct dwell_call call;
	bool any, more;

	off_cpu_before_exit(stack, context);
	any = more = dwell_pair_exit(&stack->pair, id, ticks, &call);
	for (; more; more = dwell_pair_pop(&stack->pair, &call)) {
		if (!dwell_pair_is_due(&stack->pair)) /* the last: the exit is of this call, and the others were unwound */
			off_cpu_after_exit(stack, context, &call);
		calls_leave(stack, context, &call);
	}
	if (!any)
		off_cpu_after_exit(stack, context, NULL);
}

/* The fast path: feeds begins and normal ends of calls, if only the profile needs them.
 * Returns the first event for the slow path. */
static const struct event *feed_calls(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind,
	const struct event *event, const struct event *end)
{
	const uint32_t scope = function_cache_scope(stack->row.process, kind);
	struct dwell_pair *pair = &stack->pair;
	const struct event *first = event;
	uint64_t calls = 0;

	if (pair->state || stack->pushes_pending || stack->has_site || stack->off_cpu.watch || context->is_untimed ||
		!context->options.want_profile || context->options.on_call || context->options.on_enter)
		return event;
	for (; event < end; event++) {
		uint32_t mark = stack_place_mark(event->value), id;

		if (DWELL_RARELY(event->kind > EVENT_EXIT || event->ticks > stack->off_cpu.next_ticks ||
				 event->ticks < pair->last_ticks))
			break;
		if (event->kind == EVENT_EXIT) {
			const struct dwell_frame *top = &stack->frames[pair->depth - 1];
			struct dwell_call call;

			if (DWELL_RARELY(!pair->depth || pair->depth <= stack->off_cpu.depth || top->reserved != mark || !mark ||
				    top->id == DWELL_ID_UNKNOWN))
				break;
			dwell_pair_exit(pair, top->id, event->ticks, &call);
			calls++;
			account_leave(stack, context, &call, (uint32_t)call.id, NULL);
			continue;
		}
		id = functions_find_cached(context->functions, scope, event->value);
		if (DWELL_RARELY(id == FUNCTION_NONE || pair->depth >= pair->reached))
			break;
		struct dwell_frame *frame = dwell_pair_enter(pair, id, event->ticks);
		frame->reserved = mark;
		frame->user = account_enter(stack, context, pair->depth - 1, id, false);
	}
	stack->row.events += (uint64_t)(event - first);
	stack->row.calls += calls;
	return event;
}

/* The function of an enter or exit; FUNCTION_NONE: no memory. */
static uint32_t find_function(
	const struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, const struct event *event)
{
	const struct dwell_frame *top = stack->pair.depth ? &stack->frames[stack->pair.depth - 1] : NULL;
	uint32_t mark = stack_place_mark(event->value);

	if (event->kind == EVENT_EXIT && top && mark && top->reserved == mark && top->id != DWELL_ID_UNKNOWN)
		return (uint32_t)top->id;
	return functions_find(context->functions, stack->row.process, (struct place){kind, event->value}, event->ticks);
}

uint32_t stack_feed_events(struct stack *stack, struct thread_context *context, const struct message_events *message)
{
	const struct event *event = message->events, *end = event + message->count;

	if (!allocate_stack(stack, context))
		return message->count;
	for (; event < end; event++) {
		struct dwell_frame *frame;
		struct dwell_call call;
		uint32_t id;

		event = feed_calls(stack, context, message->place_kind, event, end);
		if (event == end)
			return message->count;
		if (DWELL_RARELY(event->ticks > stack->off_cpu.next_ticks) && event_has_time(event))
			off_cpu_advance_slowly(stack, context, event->ticks);
		if (DWELL_RARELY(stack->pushes_pending) && event_has_time(event))
			begin_pushed_calls(stack, context, event->ticks);
		if (DWELL_RARELY(dwell_pair_is_misfit(&stack->pair)) && event->kind != EVENT_LANDED)
			landing_settle_misfit(stack, context);
		if (DWELL_RARELY(event->kind > EVENT_EXIT)) {
			if (event->kind == EVENT_ENTRY)
				entries_count(stack, context, message->place_kind, event);
			else
				feed_rare(stack, context, message->place_kind, event);
			if (DWELL_RARELY(event->kind == EVENT_STACK || stack_event_hides_calls(event)))
				return (uint32_t)(event - message->events) + 1;
			continue;
		}
		id = find_function(stack, context, message->place_kind, event);
		if (DWELL_RARELY(id == FUNCTION_NONE)) {
			thread_out_of_memory(context);
			continue;
		}
		stack->row.events++;
		if (context->options.want_values)
			values_exit(&stack->values, event + 1 < end ? event + 1 : NULL);
		if (event->kind == EVENT_EXIT && DWELL_RARELY(stack->pair.state))
			landing_take_exit(stack, context, id);
		if (event->kind == EVENT_EXIT && DWELL_RARELY(stack->off_cpu.watch || !stack->pair.depth)) {
			feed_watched_exit(stack, context, id, event->ticks);
			continue;
		}
		if (event->kind == EVENT_EXIT) {
			bool more = dwell_pair_exit(&stack->pair, id, event->ticks, &call);

			for (; more; more = dwell_pair_pop(&stack->pair, &call))
				calls_leave(stack, context, &call);
			continue;
		}
		if (DWELL_RARELY(stack->has_site))
			landing_take_site(stack, context, message->place_kind, event->ticks);
		if (DWELL_RARELY(stack->off_cpu.watch))
			off_cpu_settle(stack, context, stack->pair.depth);
		if (DWELL_RARELY(dwell_pair_full(&stack->pair)))
			calls_reserve(stack, 1);
		frame = dwell_pair_enter(&stack->pair, id, event->ticks);
		if (!frame)
			continue;
		frame->reserved = stack_place_mark(event->value);
		calls_enter(stack, context, stack->pair.depth - 1);
	}
	return message->count;
}

/* Marks the frames in agreement with the checkpoint with their places. */
static void mark_places(
	struct stack *stack, const struct message_checkpoint *message, const struct dwell_frame *frames)
{
	for (uint32_t i = 0; i < message->count && i < stack->pair.depth; i++)
		if (stack->frames[i].id == frames[i].id && frames[i].id != DWELL_ID_UNKNOWN)
			stack->frames[i].reserved = stack_place_mark(message->frames[i].place);
}

/* The frames of a checkpoint, with function ids in place of places. Null: no memory. */
static struct dwell_frame *make_frames(
	const struct stack *stack, struct thread_context *context, const struct message_checkpoint *message)
{
	struct dwell_frame *frames = calloc(message->count ? message->count : 1, sizeof *frames);

	for (uint32_t i = 0; frames && i < message->count; i++) {
		const struct message_frame *from = &message->frames[i];
		struct place place = {message->place_kind, from->place};

		frames[i].id = DWELL_ID_UNKNOWN;
		if (!from->no_place) {
			uint32_t id = functions_find(context->functions, stack->row.process, place, message->ticks);

			frames[i].id = id == FUNCTION_NONE ? DWELL_ID_UNKNOWN : id;
		}
		frames[i].enter_ticks = from->enter_ticks;
		frames[i].child_ticks = from->child_ticks;
		frames[i].flags = (from->no_entry ? DWELL_CALL_NO_ENTRY : 0) | (from->is_piece ? DWELL_CALL_PIECE : 0);
	}
	return frames;
}

bool stack_needs_checkpoint(const struct stack *stack)
{
	return stack->pushes_pending || stack->unnamed || stack->unsure;
}

void stack_take_checkpoint(struct stack *stack, struct thread_context *context, const struct message_checkpoint *message,
	uint64_t earliest_ticks)
{
	struct dwell_frame *frames;
	uint64_t gap_ticks, child_ticks;
	bool had_begun;
	uint32_t known;

	if (!allocate_stack(stack, context))
		return;
	frames = make_frames(stack, context, message);
	if (!frames) {
		thread_out_of_memory(context);
		return;
	}
	for (uint32_t i = 0; i < message->count; i++)
		if (frames[i].enter_ticks < earliest_ticks)
			frames[i].enter_ticks = earliest_ticks;
	if (stack->pushes_pending)
		begin_pushed_calls(stack, context, message->ticks);
	dwell_pair_checkpoint(&stack->pair, frames, message->count);
	calls_leave_due(stack, context);
	off_cpu_settle(stack, context, stack->pair.depth);
	had_begun = dwell_pair_has_begun(&stack->pair);
	known = stack->pair.depth;
	gap_ticks = stack->pair.last_ticks;
	child_ticks = known ? stack->frames[known - 1].child_ticks : 0;
	if (!known && context->options.want_profile)
		account_close_section(stack, context);
	if (message->count > known)
		calls_reserve(stack, message->count - known);
	dwell_pair_adopt(&stack->pair, frames, message->count, message->ticks);
	calls_enter_from(stack, context, known);
	off_cpu_adopt(stack, context, had_begun, known, gap_ticks, child_ticks);
	mark_places(stack, message, frames);
	stack->unsure = stack->unnamed = false;
	free(frames);
}

void stack_adopt(struct stack *stack, struct thread_context *context, const struct stack *from, uint64_t ticks)
{
	uint32_t depth = from->pair.capacity ? from->pair.depth : 0;
	struct dwell_frame *frames = calloc(depth ? depth : 1, sizeof *frames);

	if (!frames || !allocate_stack(stack, context)) {
		free(frames);
		thread_out_of_memory(context);
		return;
	}
	for (uint32_t i = 0; i < depth; i++)
		frames[i] = (struct dwell_frame){
			.id = from->frames[i].id, .enter_ticks = ticks, .flags = from->frames[i].flags | DWELL_CALL_NO_ENTRY};
	calls_reserve(stack, depth);
	dwell_pair_adopt(&stack->pair, frames, depth, ticks);
	calls_enter_from(stack, context, 0);
	off_cpu_adopt(stack, context, false, 0, ticks, 0);
	for (uint32_t i = 0; i < stack->pair.depth; i++)
		stack->frames[i].reserved = from->frames[i].reserved;
	stack->unsure = from->unsure;
	stack->unnamed = from->unnamed;
	free(frames);
}

bool stack_resume(struct stack *stack, struct thread_context *context, const struct message_checkpoint *message)
{
	bool good = !message->incomplete && !message->after_loss && allocate_stack(stack, context);
	/* Unnamed calls have no row for off-CPU time and page faults. */
	bool counts_off = context->options.want_profile && (stack->off_cpu.told || stack->off_cpu.has_faults);

	if (!good)
		return false;
	calls_reserve(stack, message->count);
	struct dwell_frame *frames = make_frames(stack, context, message);
	good = frames && message->count <= stack->pair.capacity;
	for (uint32_t i = 0; good && i < message->count; i++)
		good = !message->frames[i].stack && (frames[i].id != DWELL_ID_UNKNOWN || !counts_off);
	if (good) {
		memcpy(stack->frames, frames, message->count * sizeof *frames);
		good = dwell_pair_resume(&stack->pair, message->count, message->floor_ticks);
		mark_places(stack, message, frames);
	}
	free(frames);
	if (!good)
		return false;
	calls_enter_from(stack, context, 0);
	for (uint32_t i = 0; context->options.on_call && i < stack->pair.depth; i++)
		calls_tag_open(stack, i, MODEL_TAG_INHERITED);
	stack->section_inherited = true;
	return off_cpu_resume(&stack->off_cpu, message->count, message->floor_ticks);
}

void stack_forget_open_calls(struct stack *stack, struct thread_context *context)
{
	stack->pushes_pending = stack->has_site = false;
	dwell_pair_end_in_gap(&stack->pair);
	calls_leave_due(stack, context);
	off_cpu_settle(stack, context, 0);
	calls_end_section(stack, context);
}

void stack_finish(struct stack *stack, struct thread_context *context)
{
	struct profile_thread *row = &stack->row;
	const struct dwell_pair *pair = &stack->pair;

	row->balanced = true;
	if (pair->capacity && allocate_stack(stack, context)) {
		stack->pushes_pending = false; /* no event came, so the frames have no time */
		off_cpu_settle(stack, context, stack->pair.depth);
		dwell_pair_finish(&stack->pair);
		calls_leave_due(stack, context);
		if (context->options.want_profile)
			account_close_section(stack, context);
		if (context->options.want_profile)
			account_settle(stack, context);
		row->balanced = dwell_pair_check(pair);
	}
	row->first_ticks = stack_has_begun(stack) ? pair->first_ticks : row->first_ticks; /* else the times of samples */
	row->last_ticks = stack_has_begun(stack) ? pair->last_ticks : row->last_ticks;
	row->self_ticks = pair->self_ticks;
	row->lost_ticks = pair->lost_ticks;
	row->held_ticks = pair->held_ticks;
	row->outside_ticks = dwell_pair_outside_ticks(pair);
	if (context->is_untimed)
		row->first_ticks = row->last_ticks = row->self_ticks = row->lost_ticks = row->held_ticks = row->outside_ticks = 0;
	row->lost_events = pair->lost_events;
	row->unmatched_exits = pair->unmatched_exits;
	row->unwound_calls = pair->unwound_calls;
	row->beyond_calls += pair->beyond_calls;
	row->backward_events = pair->backward_events;
	row->deepest = pair->deepest;
	off_cpu_finish(stack, context);
}
