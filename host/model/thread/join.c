/* join: adds the result of a part (part.h) to the thread, as if the thread had got the part's events itself. For part.c. */
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off_cpu.h"
#include "model/thread/thread.h"

/* Whether the checkpoint in front of the part would only confirm the open calls of an unsure thread, and change nothing else.
 * Without an open call, the checkpoint would count the time before it as lost. It would also advance the time to the first
 * event, but the event does so itself. */
static bool is_confirmed(const struct thread *thread, const struct thread *part)
{
	return part->begins_plainly && thread->own.pair.depth;
}

bool thread_matches_part_start(
	const struct thread *thread, const struct thread *part, const struct dwell_frame *open, uint32_t count, uint64_t ticks)
{
	const struct dwell_pair *pair = &thread->own.pair;

	if (!thread->own.frames || !dwell_pair_is_settled(pair) || pair->depth != count || pair->last_ticks != ticks ||
		thread->own.pushes_pending || thread->own.has_site || thread->stacks.count || thread->stacks.switch_pending)
		return false;
	if ((thread->own.unsure || thread->own.unnamed) && !is_confirmed(thread, part))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct dwell_frame *frame = &thread->own.frames[i];

		if (frame->id != open[i].id || frame->reserved != open[i].reserved ||
			frame->enter_ticks != open[i].enter_ticks || frame->flags != open[i].flags ||
			frame->child_ticks != open[i].child_ticks || !account_agrees(frame->user, open[i].user))
			return false;
	}
	/* If a section ended within the part, the sums for charges from before the part are gone. */
	return off_cpu_agrees(&thread->own.off_cpu, &part->own.off_cpu, ticks) &&
	       (part->own.section_inherited || !part->own.off_cpu.end_count || !thread->own.off_cpu.depth);
}

static void join_row(struct profile_thread *row, const struct profile_thread *part)
{
	row->events += part->events;
	row->calls += part->calls;
	row->open_calls += part->open_calls;
	row->no_entry_calls += part->no_entry_calls;
	row->gap_calls += part->gap_calls;
	row->beyond_calls += part->beyond_calls;
	row->lost_unwinds += part->lost_unwinds;
}

/* For the first part of a stream: the thread takes over the part's state, and the part gets the thread's empty state. */
static void take_over_state(struct thread *thread, struct thread_context *context, struct thread *part)
{
	struct thread old = *thread;

	*thread = *part;
	thread->own.row = old.own.row;
	thread->selected = old.selected;
	tree_set_room(&thread->own.tree, &context->room);
	join_row(&thread->own.row, &part->own.row);
	*part = old; /* the empty thread: it had no tree to hand over */
}

static bool copy_frames(struct stack *stack, const struct stack *part)
{
	if (stack->pair.capacity < part->pair.capacity && !stack_grow_frames(stack, part->pair.capacity))
		return false;
	memcpy(stack->frames, part->frames, part->pair.depth * sizeof *part->frames);
	memcpy(stack->entered, part->entered, part->pair.depth * sizeof *part->entered);
	return true;
}

/* Makes rows in the profile for all functions with counters on the stack, since calls of them may be open. False: no memory. */
static bool reserve_rows(const struct stack *stack, struct profile *profile)
{
	size_t pages = stack->functions.page_count;

	while (pages && !stack->functions.pages[pages - 1])
		pages--;
	return !pages || profile_get_function(profile, (uint32_t)(pages * STACK_PAGE - 1));
}

bool thread_join(struct thread *thread, struct thread_context *context, struct thread *part)
{
	struct stack *stack = &thread->own, *from = &part->own;

	if (!reserve_rows(from, context->profile))
		return false;
	if (!stack->pair.capacity) {
		take_over_state(thread, context, part);
		return true;
	}
	if (!off_cpu_join(stack, context, from) || !account_join(stack, context, from) || !copy_frames(stack, from) ||
		!dwell_pair_join(&stack->pair, &from->pair))
		return false;
	join_row(&stack->row, &from->row);
	stack->unsure = from->unsure;
	stack->unnamed = from->unnamed;
	stack->unnamed_open = from->unnamed_open;
	stack->pushes_pending = from->pushes_pending;
	stack->has_site = from->has_site;
	stack->site = from->site;
	stack->above = from->above;
	stack->landed_may_follow = from->landed_may_follow;
	stack->misfit = from->misfit;
	return true;
}

static bool renumber_page(struct stack *stack, const struct stack_function *old, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (map[i] == FUNCTION_NONE)
			continue;
		if (!stack_find_function(stack, map[i]) && !stack_reserve_function(stack, map[i]))
			return false;
		*stack_get_function(stack, map[i]) = old[i];
	}
	return true;
}

static bool renumber(struct stack *stack, const uint32_t *map, size_t count)
{
	struct stack_functions old = stack->functions;
	bool good = true;

	stack->functions = (struct stack_functions){0};
	for (size_t page = 0; good && page < old.page_count && page * STACK_PAGE < count; page++) {
		size_t first = page * STACK_PAGE, left = count - first;

		good = !old.pages[page] ||
		       renumber_page(stack, old.pages[page], map + first, left < STACK_PAGE ? left : STACK_PAGE);
	}
	stack_forget_functions(&(struct stack){.functions = old});
	if (!good)
		return false;
	stack->off_cpu.section_count = 0; /* needed only by calls without a begin, and all open calls have one */
	for (uint32_t i = 0; stack->frames && i < stack->pair.depth; i++)
		if (stack->frames[i].id < count)
			stack->frames[i].id = map[stack->frames[i].id];
	return !stack->tree.nodes || tree_renumber(&stack->tree, map, count);
}

bool thread_renumber(struct thread *thread, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i <= thread->stacks.count; i++)
		if (!renumber(thread_get_stack(thread, i), map, count))
			return false;
	return true;
}
