/* stacks: divides the events and checkpoints of a thread among the stacks of coroutines. The functions of
 * thread.h for feeding and finishing a thread.
 *
 * Each stack has separate calls, paths and pairing, and is not recorded while another stack runs.
 * The thread's figures are sums over the stacks:
 *
 *     Σ self + (Σ lost − counted twice) + (Σ outside − suspended)  =  last − first
 *
 * suspended: the time for which stacks waited, by the events. counted twice: time of a gap that a checkpoint attributes to more
 * than one stack. A thread with one stack needs none of this. */
#include <stdlib.h>
#include <string.h>

#include "core/slot.h"
#include "model/thread/checkpoint_match.h"
#include "model/thread/calls.h"
#include "model/thread/off_cpu.h"
#include "model/thread/stack.h"
#include "model/thread/thread.h"
#include "util/array.h"

/* The index of the stack with this number in the list, or the index for inserting it. */
static size_t find_place(const struct stacks *stacks, uint32_t number)
{
	size_t low = 0, high = stacks->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stacks->list[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct stack *find_stack(struct thread *thread, uint32_t number)
{
	size_t at = find_place(&thread->stacks, number);

	if (!number)
		return &thread->own;
	return at < thread->stacks.count && thread->stacks.list[at]->number == number ? thread->stacks.list[at] : NULL;
}

/* Feeds the stack one event without a value. */
static void feed_one(struct stack *stack, struct thread_context *context, enum event_kind kind, uint64_t ticks)
{
	struct event event = {ticks, 0, kind};
	struct message_events message = {
		.stream = stack->row.stream, .events = &event, .count = 1};

	stack_feed_events(stack, context, &message);
}

/* Adds a finished stack's figures to the thread's row. */
static void add_row(struct profile_thread *row, const struct profile_thread *from)
{
	row->events += from->events;
	row->calls += from->calls;
	row->open_calls += from->open_calls;
	row->self_ticks += from->self_ticks;
	row->lost_ticks += from->lost_ticks;
	row->held_ticks += from->held_ticks;
	row->outside_ticks += from->outside_ticks;
	row->lost_events += from->lost_events;
	row->unmatched_exits += from->unmatched_exits;
	row->unwound_calls += from->unwound_calls;
	row->no_entry_calls += from->no_entry_calls;
	row->gap_calls += from->gap_calls;
	row->beyond_calls += from->beyond_calls;
	row->backward_events += from->backward_events;
	row->lost_unwinds += from->lost_unwinds;
	row->balanced &= from->balanced;
	profile_add_off_cpu(&row->off, &from->off);
	profile_add_off_cpu(&row->off_self, &from->off_self);
	profile_add_off_cpu(&row->off_lost, &from->off_lost);
	profile_add_off_cpu(&row->off_outside, &from->off_outside);
	row->switches += from->switches;
	row->off_cpu_balanced &= from->off_cpu_balanced;
	row->off_cpu_is_unknown |= from->off_cpu_is_unknown;
	if (from->deepest > row->deepest)
		row->deepest = from->deepest;
}

/* Adds a finished stack's row to the thread's row, from the earliest event to the latest. Returns the
 * time from the stack's first event to the last. */
static uint64_t join_row(struct profile_thread *row, const struct stack *stack, bool *any)
{
	const struct profile_thread *from = &stack->row;

	add_row(row, from);
	if (!stack_has_begun(stack))
		return 0;
	if (!*any || from->first_ticks < row->first_ticks)
		row->first_ticks = from->first_ticks;
	if (!*any || from->last_ticks > row->last_ticks)
		row->last_ticks = from->last_ticks;
	*any = true;
	return from->last_ticks - from->first_ticks;
}

/* Ends the open calls of a stack, where it was suspended, or now. */
static void end_stack(struct thread *thread, struct thread_context *context, uint32_t number)
{
	struct stack *stack = find_stack(thread, number), *current = thread->stacks.current;

	if (!stack)
		return;
	thread->stacks.current = stack == &thread->own ? NULL : stack; /* for on_call, which may read the open calls meanwhile */
	calls_leave_all(stack, context);
	thread->stacks.current = current;
}

/* Makes room in the list: discards the stacks whose last event lies in the older half of the range of all last events. */
static void discard_old_stacks(struct thread *thread, struct thread_context *context)
{
	struct stacks *stacks = &thread->stacks;
	struct stack *current = stacks->current;
	uint64_t low = UINT64_MAX, high = 0;
	size_t kept = 0;

	for (size_t i = 0; i < stacks->count; i++) {
		uint64_t ticks = stacks->list[i]->pair.last_ticks;

		low = ticks < low ? ticks : low;
		high = ticks > high ? ticks : high;
	}
	stacks->has_discarded = true;
	for (size_t i = 0; i < stacks->count; i++) {
		struct stack *stack = stacks->list[i];
		struct profile_thread *row = &stacks->discarded;
		bool any = row->last_ticks != 0;

		if (stack == current || stack->pair.last_ticks - low > (high - low) / 2) {
			stacks->list[kept++] = stack;
			continue;
		}
		stack->row.beyond_calls += stack->pair.depth;
		stacks->current = stack;
		calls_leave_all(stack, context);
		stack_finish(stack, context);
		stacks->current = current;
		row->balanced = row->balanced || !any;
		row->off_cpu_balanced = row->off_cpu_balanced || !any;
		stacks->discarded_ticks += join_row(row, stack, &any);
		free_stack(stack);
	}
	stacks->count = kept;
}

/* The stack with the number; makes a new stack if necessary. Null: no memory. */
static struct stack *find_or_add(struct thread *thread, struct thread_context *context, uint32_t number)
{
	struct stacks *stacks = &thread->stacks;
	struct stack *stack = find_stack(thread, number);
	size_t at;

	if (stack)
		return stack;
	if (stacks->count >= STACKS_MAX)
		discard_old_stacks(thread, context);
	if (!array_reserve(&stacks->list, &stacks->capacity, stacks->count + 1, sizeof *stacks->list) ||
		!(stack = make_stack(thread->own.row.stream))) {
		thread_out_of_memory(context);
		return NULL;
	}
	stack->row.process = thread->own.row.process;
	stack->is_copy = thread->own.is_copy;
	stack->number = number;
	at = find_place(stacks, number);
	memmove(stacks->list + at + 1, stacks->list + at, (stacks->count - at) * sizeof *stacks->list);
	stacks->list[at] = stack;
	stacks->count++;
	return stack;
}

/* Changes to the next stack, at ticks. */
static void switch_stack(struct thread *thread, struct thread_context *context, uint64_t ticks)
{
	struct stacks *stacks = &thread->stacks;
	struct stack *from = thread_get_running(thread), *to = find_or_add(thread, context, stacks->next);
	uint64_t suspended = 0;
	bool begun;

	stacks->switch_pending = false;
	if (!to || to == from)
		return;
	/* A thread's time does not run backwards, not even from one stack to another. */
	if (stack_has_begun(from) && ticks < from->pair.last_ticks)
		ticks = from->pair.last_ticks;
	if (stack_has_begun(from))
		feed_one(from, context, EVENT_STOP, ticks);
	begun = stack_has_begun(to);
	if (begun) {
		suspended = profile_rest(ticks, to->pair.last_ticks);
		stacks->suspended_ticks += suspended;
		feed_one(to, context, EVENT_RESUME, ticks);
	}
	off_cpu_hand_over(to, from, suspended);
	if (!begun) { /* begins with this event */
		feed_one(to, context, EVENT_RESUME, ticks);
		dwell_pair_begin_stack(&to->pair, &from->pair);
	}
	stacks->current = to == &thread->own ? NULL : to;
	stacks->number = stacks->next;
}

/* The first event with a time; end: none. */
static const struct event *skip_untimed(const struct event *event, const struct event *end)
{
	while (event < end && !event_has_time(event))
		event++;
	return event;
}

/* The number of losses at the beginning of the message. Directly after a STACK event they belong to the previous stack, as the new
 * stack runs only from the next event with a time on. */
static uint32_t count_lost(const struct message_events *message)
{
	uint32_t count = 0;

	while (count < message->count && message->events[count].kind >= EVENT_LOST &&
		message->events[count].kind <= EVENT_LOST_PUSHES)
		count++;
	return count;
}

/* Whether an event with a time comes before another STACK; stores the time in *ticks. */
static bool find_next_time(const struct event *event, const struct event *end, uint64_t *ticks)
{
	while (event < end && !event_has_time(event) && event->kind != EVENT_STACK)
		event++;
	if (event == end || event->kind == EVENT_STACK)
		return false;
	*ticks = event->ticks;
	return true;
}

/* An event made the open calls of all stacks unknown. Ends them on all stacks but the running one, which got the event itself. */
static void forget_other_stacks(struct thread *thread, struct thread_context *context)
{
	struct stacks *stacks = &thread->stacks;
	struct stack *running = thread_get_running(thread), *current = stacks->current;

	for (size_t i = 0; i <= stacks->count && stacks->count; i++) {
		struct stack *stack = thread_get_stack(thread, i);

		if (stack == running || !stack->pair.capacity)
			continue;
		stacks->current = stack == &thread->own ? NULL : stack; /* as in end_stack */
		stack_forget_open_calls(stack, context);
		stacks->current = current;
	}
}

/* A STACK event. is_first: no event with a time came before it in the message. */
static void feed_stack_event(struct thread *thread, struct thread_context *context, uint64_t value, bool is_first)
{
	struct stacks *stacks = &thread->stacks;

	if (value & DWELL_STACK_BEGINS)
		end_stack(thread, context, (uint32_t)value & ~DWELL_STACK_BEGINS);
	stacks->next = (uint32_t)value & ~DWELL_STACK_BEGINS;
	stacks->switch_pending = stacks->next != stacks->number;
	if (DWELL_RARELY(stacks->begins) && is_first) {
		stacks->begins = false;
		if (stacks->switch_pending)
			dwell_pair_move_to_lost(&thread->own.pair, stacks->claimed_ticks);
		if (stacks->switch_pending)
			switch_stack(thread, context, stacks->begin_ticks);
	}
}

void thread_feed_events(struct thread *thread, struct thread_context *context, const struct message_events *message)
{
	const struct event *end = message->events + message->count;
	struct message_events rest = *message;
	uint64_t ticks;

	while (rest.count) {
		const struct event *last;
		uint32_t fed = DWELL_RARELY(thread->stacks.switch_pending) ? count_lost(&rest) : 0;

		if (fed) {
			rest.count = fed;
		} else if (DWELL_RARELY(thread->stacks.switch_pending) && find_next_time(rest.events, end, &ticks)) {
			switch_stack(thread, context, ticks);
		}
		rest.events += stack_feed_events(thread_get_running(thread), context, &rest);
		rest.count = (uint32_t)(end - rest.events);
		last = rest.events - 1;
		if (last->kind == EVENT_STACK)
			feed_stack_event(thread, context, last->value, skip_untimed(message->events, rest.events) == rest.events);
		else if (DWELL_RARELY(stack_event_hides_calls(last)))
			forget_other_stacks(thread, context);
	}
	thread->stacks.begins &= skip_untimed(message->events, end) == end;
}

/* ---- checkpoints ---- */

/* The end of the stack's data so far. Without data: the time at which the checkpoint lets the data begin. */
static uint64_t find_data_end(const struct stack *stack, const struct message_checkpoint *part, uint64_t floor_ticks)
{
	uint64_t first;

	if (stack_has_begun(stack))
		return stack->pair.last_ticks;
	if (!part->count)
		return part->ticks;
	first = part->frames[0].enter_ticks < part->ticks ? part->frames[0].enter_ticks : part->ticks;
	return first > floor_ticks ? first : floor_ticks;
}

/* Feeds one stack its frames of a checkpoint (part). budget: time that the open calls of all stacks together may still claim. */
static void feed_stack_frames(struct thread *thread, struct stack *stack, struct thread_context *context,
	struct message_checkpoint *part, uint64_t floor_ticks, uint64_t *budget)
{
	uint64_t from = find_data_end(stack, part, floor_ticks), lost, gained;
	bool had_begun = stack_has_begun(stack);

	if (!had_begun && !part->count)
		return;
	lost = had_begun ? stack->pair.lost_ticks + stack->pair.wait_lost_ticks : 0;
	stack_take_checkpoint(stack, context, part, floor_ticks);
	gained = part->ticks > from ? part->ticks - from : 0;
	thread->stacks.counted_twice_ticks += gained;
	gained -= stack->pair.lost_ticks - lost < gained ? stack->pair.lost_ticks - lost : gained;
	if (gained > *budget)
		dwell_pair_move_to_lost(&stack->pair, gained - *budget);
	*budget -= gained < *budget ? gained : *budget;
	if (stack != thread_get_running(thread))
		feed_one(stack, context, EVENT_STOP, part->ticks);
}

/* The frames of the next stack in the checkpoint, which are consecutive, from *at on. Advances *at past them. */
static struct message_checkpoint next_stack_frames(const struct message_checkpoint *message, uint32_t *at, uint32_t *number)
{
	struct message_checkpoint part = *message;
	uint32_t end = *at;

	*number = message->frames[end].stack;
	while (end < message->count && message->frames[end].stack == *number)
		end++;
	part.frames = message->frames + *at;
	part.count = end - *at;
	*at = end;
	return part;
}

struct named {
	uint32_t number, at;
};

static int by_number(const void *a, const void *b)
{
	const struct named *one = a, *other = b;

	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return one->at < other->at ? -1 : one->at > other->at;
}

/* The number of frames before a stack appears for a second time, which a sound checkpoint does not have. Without memory: 0. */
static uint32_t count_valid_frames(const struct message_checkpoint *message)
{
	struct named *list = malloc((message->count ? message->count : 1) * sizeof *list);
	uint32_t sound = list ? message->count : 0, count = 0;

	for (uint32_t at = 0; list && at < message->count; count++) {
		list[count].at = at;
		next_stack_frames(message, &at, &list[count].number);
	}
	if (list)
		qsort(list, count, sizeof *list, by_number);
	for (uint32_t i = 1; i < count; i++)
		if (list[i].number == list[i - 1].number && list[i].at < sound)
			sound = list[i].at;
	free(list);
	return sound;
}

/* The earliest entry of an outermost frame on any stack. */
static uint64_t begin_of(const struct message_checkpoint *message)
{
	uint64_t ticks = message->ticks;
	uint32_t number;

	for (uint32_t at = 0; at < message->count;) {
		struct message_checkpoint part = next_stack_frames(message, &at, &number);

		ticks = part.frames[0].enter_ticks < ticks ? part.frames[0].enter_ticks : ticks;
	}
	return ticks;
}

static bool has_stacks(const struct message_checkpoint *message)
{
	for (uint32_t i = 0; i < message->count; i++)
		if (message->frames[i].stack)
			return true;
	return false;
}

/* The first and last time of the thread's data so far. False: no data. */
static bool find_span(const struct thread *thread, uint64_t *first, uint64_t *last)
{
	bool any = stack_has_begun(&thread->own);

	*first = any ? thread->own.pair.first_ticks : UINT64_MAX;
	*last = any ? thread->own.pair.last_ticks : 0;
	for (size_t i = 0; i < thread->stacks.count; i++) {
		const struct stack *stack = thread->stacks.list[i];

		if (!stack_has_begun(stack))
			continue;
		*first = stack->pair.first_ticks < *first ? stack->pair.first_ticks : *first;
		*last = stack->pair.last_ticks > *last ? stack->pair.last_ticks : *last;
		any = true;
	}
	return any;
}

static void take_stacks(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	struct message_checkpoint then = *message;
	uint64_t first, last, budget;
	uint32_t number;

	/* A checkpoint has the state at the event before it. Uses the time of that event: only one stack has run since. */
	if (message->floor_ticks && message->floor_ticks < message->ticks)
		then.ticks = message->floor_ticks;
	then.count = count_valid_frames(message);
	message = &then;
	if (!find_span(thread, &first, &last))
		first = last = begin_of(message);
	if (then.ticks < last)
		then.ticks = last;
	thread->stacks.begins = true;
	thread->stacks.begin_ticks = then.ticks;
	thread->stacks.claimed_ticks = 0;
	budget = message->ticks - last;
	thread->stacks.counted_twice_ticks -= budget;
	for (size_t i = 0; i < thread->stacks.count; i++)
		thread->stacks.list[i]->in_checkpoint = false;
	thread->own.in_checkpoint = false;
	for (uint32_t at = 0; at < message->count;) {
		struct message_checkpoint part = next_stack_frames(message, &at, &number);
		struct stack *stack = find_or_add(thread, context, number);

		if (!stack)
			continue; /* no memory */
		stack->in_checkpoint = true;
		feed_stack_frames(thread, stack, context, &part, first, &budget);
	}
	/* A stack that the checkpoint does not name has no open call. */
	for (size_t i = 0; i <= thread->stacks.count; i++) {
		struct stack *stack = thread_get_stack(thread, i);
		struct message_checkpoint part = *message;

		part.count = 0;
		if (!stack->in_checkpoint)
			feed_stack_frames(thread, stack, context, &part, first, &budget);
	}
	/* From here on one of the stacks runs, even without any known call. */
	if (!stack_has_begun(thread_get_running(thread)) && find_span(thread, &first, &last))
		feed_one(thread_get_running(thread), context, EVENT_RESUME, then.ticks);
}

/* Whether the checkpoint agrees with the open calls: then a loss before it did no harm. */
static bool confirm_open_calls(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	if (!checkpoint_matches_thread(thread, context, message))
		return false;
	for (size_t i = 0; i <= thread->stacks.count; i++) {
		struct stack *stack = thread_get_stack(thread, i);

		stack->unsure = stack->unnamed = false;
	}
	return true;
}

void thread_feed_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	bool wanted = stack_needs_checkpoint(&thread->own);

	if (message->first || message->after_loss) { /* else unchanged; a change comes as a STACK */
		thread->stacks.next = 0;
		thread->stacks.switch_pending = thread->stacks.number != 0;
	}
	for (size_t i = 0; i < thread->stacks.count; i++)
		wanted |= stack_needs_checkpoint(thread->stacks.list[i]);
	if (!message->first && !message->after_loss &&
		(!wanted || message->incomplete || confirm_open_calls(thread, context, message)))
		return;
	if (thread->stacks.count || has_stacks(message)) {
		take_stacks(thread, context, message);
		return;
	}
	stack_take_checkpoint(&thread->own, context, message, 0);
	if (!message->floor_ticks || message->floor_ticks > message->ticks)
		return;
	/* Another stack may run all the same, with no open call. */
	thread->stacks.begins = true;
	thread->stacks.begin_ticks = message->ticks;
	thread->stacks.claimed_ticks = message->ticks - message->floor_ticks;
}

/* What is pending in from (a stop, an unwind, a gap, time that the recorder takes) is pending in the stack from ticks on. */
static void adopt_pending(struct stack *stack, struct thread_context *context, const struct dwell_pair *from, uint64_t ticks)
{
	if (dwell_pair_is_landing(from))
		feed_one(stack, context, from->land_flags & DWELL_CALL_GAP ? EVENT_LOST : EVENT_STOP, ticks);
	if (dwell_pair_is_landing(from) && !dwell_pair_is_interrupted(from))
		feed_one(stack, context, EVENT_RESUME, ticks);
	if (dwell_pair_is_held(from))
		feed_one(stack, context, EVENT_HELD, ticks);
}

void thread_adopt(struct thread *thread, struct thread_context *context, struct thread *from, uint64_t ticks)
{
	struct stack *running = thread_get_running(from);

	for (size_t i = 0; i <= from->stacks.count; i++) {
		const struct stack *open = thread_get_stack(from, i);
		struct stack *stack = find_or_add(thread, context, open->number);

		if (!stack)
			continue; /* no memory */
		stack_adopt(stack, context, open, ticks);
		if (open != running && stack_has_begun(stack))
			feed_one(stack, context, EVENT_STOP, ticks);
		if (open == running)
			thread->stacks.current = stack == &thread->own ? NULL : stack;
		if (open == running && stack_has_begun(stack))
			adopt_pending(stack, context, &open->pair, ticks);
	}
	thread->stacks.number = from->stacks.number;
	thread->stacks.next = from->stacks.next;
	thread->stacks.switch_pending = from->stacks.switch_pending;
	if (from->stacks.count && !stack_has_begun(thread_get_running(thread))) /* it runs, even without an open call */
		feed_one(thread_get_running(thread), context, EVENT_RESUME, ticks);
}

/* ---- the end ---- */

static void finish_stacks(struct thread *thread, struct thread_context *context)
{
	struct stacks *stacks = &thread->stacks;
	struct profile_thread *row = &thread->own.row;
	uint64_t there, elapsed;
	bool any = stack_has_begun(&thread->own);

	stacks->current = NULL;
	stack_finish(&thread->own, context);
	if (!stacks->count && !stacks->has_discarded)
		return;
	there = any ? row->last_ticks - row->first_ticks : 0;
	for (size_t i = 0; i < stacks->count; i++) {
		stacks->current = stacks->list[i];
		stack_finish(stacks->list[i], context);
		there += join_row(row, stacks->list[i], &any);
	}
	if (stacks->has_discarded) {
		const struct profile_thread *from = &stacks->discarded;

		add_row(row, from);
		there += stacks->discarded_ticks;
		row->first_ticks = !any || from->first_ticks < row->first_ticks ? from->first_ticks : row->first_ticks;
		row->last_ticks = !any || from->last_ticks > row->last_ticks ? from->last_ticks : row->last_ticks;
	}
	/* Modulo 2^64: in a damaged trace, all stacks together may have lost more. */
	elapsed = row->last_ticks - row->first_ticks;
	row->outside_ticks -= stacks->suspended_ticks;
	row->lost_ticks -= stacks->counted_twice_ticks;
	row->balanced &= stacks->suspended_ticks + stacks->counted_twice_ticks == there - elapsed && row->self_ticks <= elapsed &&
			 row->lost_ticks <= elapsed - row->self_ticks &&
			 row->held_ticks <= elapsed - row->self_ticks - row->lost_ticks &&
			 row->outside_ticks == elapsed - row->self_ticks - row->lost_ticks - row->held_ticks;
	if (row->off_cpu_is_unknown) /* the sum over the stacks is more than the thread's time */
		off_cpu_set_unknown(row, context);
}

void thread_finish(struct thread *thread, struct thread_context *context)
{
	finish_stacks(thread, context);
	off_cpu_set_outside_faults(&thread->own.row, thread->own.off_cpu.recorded_faults);
}
