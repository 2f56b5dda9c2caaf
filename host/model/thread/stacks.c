#include "model/thread/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/slot.h"
#include "model/thread/agree.h"
#include "model/thread/off.h"
#include "model/thread/thread.h"
#include "util/array.h"

void stacks_clear(struct thread *thread)
{
	struct stacks *stacks = &thread->stacks;

	for (size_t i = 0; i < stacks->count; i++)
		free_thread(stacks->list[i]);
	free_thread(stacks->given_up);
	free(stacks->list);
	*stacks = (struct stacks){0};
}

/* Where the stack with the number is in the list, or would be. */
static size_t find_place(const struct stacks *stacks, uint32_t number)
{
	size_t low = 0, high = stacks->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stacks->list[middle]->stack_number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct thread *find_stack(struct thread *thread, uint32_t number)
{
	size_t at = find_place(&thread->stacks, number);

	if (!number)
		return thread;
	return at < thread->stacks.count && thread->stacks.list[at]->stack_number == number ? thread->stacks.list[at] : NULL;
}

static void feed_one(struct thread *stack, struct thread_context *context, enum event_kind kind, uint64_t ticks)
{
	struct event event = {ticks, 0, kind};
	struct message_events message = {.stream = stack->row.stream, .place_kind = stack->place_kind, .events = &event, .count = 1};

	thread_feed_run(stack, context, &message);
}

/* What a stack did that is over: its numbers are the thread's. */
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
	profile_add_off(&row->off, &from->off);
	profile_add_off(&row->off_self, &from->off_self);
	profile_add_off(&row->off_lost, &from->off_lost);
	profile_add_off(&row->off_outside, &from->off_outside);
	row->switches += from->switches;
	row->off_balanced &= from->off_balanced;
	row->off_untold |= from->off_untold;
	if (from->deepest > row->deepest)
		row->deepest = from->deepest;
}

/* The row of a stack that is finished, added to that of the thread; they are of the time between the earliest and the latest of them.
 * Returns how long it was there. */
static uint64_t join_row(struct profile_thread *row, const struct thread *stack, bool *any)
{
	const struct profile_thread *from = &stack->row;

	add_row(row, from);
	if (!thread_has_begun(stack))
		return 0;
	if (!*any || from->first_ticks < row->first_ticks)
		row->first_ticks = from->first_ticks;
	if (!*any || from->last_ticks > row->last_ticks)
		row->last_ticks = from->last_ticks;
	*any = true;
	return from->last_ticks - from->first_ticks;
}

/* Calls that are open on the stack are over since it was suspended, or now. */
static void end_stack(struct thread *thread, struct thread_context *context, uint32_t number)
{
	struct thread *stack = find_stack(thread, number), *current = thread->stacks.current;

	if (!stack)
		return;
	thread->stacks.current = stack == thread ? NULL : stack; /* for those who look at what is open while calls finish */
	thread_leave_all(stack, context);
	thread->stacks.current = current;
}

/* Makes room in the list: gives up those that have waited longer than the average. */
static void give_up_some(struct thread *thread, struct thread_context *context)
{
	struct stacks *stacks = &thread->stacks;
	struct thread *current = stacks->current;
	uint64_t low = UINT64_MAX, high = 0;
	size_t kept = 0;

	for (size_t i = 0; i < stacks->count; i++) {
		uint64_t ticks = stacks->list[i]->pair.last_ticks;

		low = ticks < low ? ticks : low;
		high = ticks > high ? ticks : high;
	}
	if (!stacks->given_up)
		stacks->given_up = make_thread(thread->row.stream);
	if (!stacks->given_up)
		return;
	for (size_t i = 0; i < stacks->count; i++) {
		struct thread *stack = stacks->list[i];
		struct profile_thread *row = &stacks->given_up->row;
		bool any = row->last_ticks != 0;

		if (stack == current || stack->pair.last_ticks - low > (high - low) / 2) {
			stacks->list[kept++] = stack;
			continue;
		}
		stack->row.beyond_calls += stack->pair.depth;
		stacks->current = stack;
		thread_leave_all(stack, context);
		thread_finish_own(stack, context);
		stacks->current = current;
		row->balanced = row->balanced || !any;
		row->off_balanced = row->off_balanced || !any;
		stacks->given_up_ticks += join_row(row, stack, &any);
		free_thread(stack);
	}
	stacks->count = kept;
}

/* The stack with the number, made when it is new. Null when there is no memory. */
static struct thread *find_or_add(struct thread *thread, struct thread_context *context, uint32_t number)
{
	struct stacks *stacks = &thread->stacks;
	struct thread *stack = find_stack(thread, number);
	size_t at;

	if (stack)
		return stack;
	if (stacks->count >= STACKS_MAX)
		give_up_some(thread, context);
	if (!array_reserve(&stacks->list, &stacks->capacity, stacks->count + 1, sizeof *stacks->list) ||
		!(stack = make_thread(thread->row.stream))) {
		thread_starve(context);
		return NULL;
	}
	stack->row.process = thread->row.process;
	stack->selected = thread->selected;
	stack->is_copy = thread->is_copy;
	stack->place_kind = thread->place_kind;
	stack->stack_number = number;
	stack->is_stack = true;
	at = find_place(stacks, number);
	memmove(stacks->list + at + 1, stacks->list + at, (stacks->count - at) * sizeof *stacks->list);
	stacks->list[at] = stack;
	stacks->count++;
	return stack;
}

/* The stack that waits to run does. */
static void change_over(struct thread *thread, struct thread_context *context, uint64_t ticks)
{
	struct stacks *stacks = &thread->stacks;
	struct thread *from = thread_get_running(thread), *to = find_or_add(thread, context, stacks->next);
	bool begun;

	stacks->waits = false;
	if (!to || to == from)
		return;
	/* The thread's time does not go back, on whichever stack. */
	if (thread_has_begun(from) && ticks < from->pair.last_ticks)
		ticks = from->pair.last_ticks;
	if (thread_has_begun(from))
		feed_one(from, context, EVENT_OFF, ticks);
	begun = thread_has_begun(to);
	if (begun) {
		stacks->suspended_ticks += ticks > to->pair.last_ticks ? ticks - to->pair.last_ticks : 0;
		feed_one(to, context, EVENT_ON, ticks);
	}
	off_hand_over(to, from);
	if (!begun) { /* it does now */
		feed_one(to, context, EVENT_ON, ticks);
		dwell_pair_begin_beside(&to->pair, &from->pair);
	}
	stacks->current = to == thread ? NULL : to;
	stacks->number = stacks->next;
}

static const struct event *find_time(const struct event *event, const struct event *end)
{
	while (event < end && !thread_event_has_time(event))
		event++;
	return event;
}

/* What is lost behind a STACK was not on that yet: it runs from the next time on. */
static uint32_t count_lost(const struct message_events *message)
{
	uint32_t count = 0;

	while (count < message->count && message->events[count].kind >= EVENT_LOST && message->events[count].kind <= EVENT_LOST_PUSHES)
		count++;
	return count;
}

/* Whether a time is told before another STACK comes; *ticks. */
static bool says_time(const struct event *event, const struct event *end, uint64_t *ticks)
{
	while (event < end && !thread_event_has_time(event) && event->kind != EVENT_STACK)
		event++;
	if (event == end || event->kind == EVENT_STACK)
		return false;
	*ticks = event->ticks;
	return true;
}

/* What is open is not known any more. The stack that runs has seen it. */
static void doubt_others(struct thread *thread, struct thread_context *context)
{
	struct stacks *stacks = &thread->stacks;
	struct thread *running = thread_get_running(thread), *current = stacks->current;

	for (size_t i = 0; i <= stacks->count && stacks->count; i++) {
		struct thread *stack = i ? stacks->list[i - 1] : thread;

		if (stack == running || !stack->pair.capacity)
			continue;
		stacks->current = stack == thread ? NULL : stack; /* as in end_stack */
		thread_doubt(stack, context);
		stacks->current = current;
	}
}

static void take_stack(struct thread *thread, struct thread_context *context, uint64_t value, bool is_first)
{
	struct stacks *stacks = &thread->stacks;

	if (value & DWELL_STACK_BEGINS)
		end_stack(thread, context, (uint32_t)value & ~DWELL_STACK_BEGINS);
	stacks->next = (uint32_t)value & ~DWELL_STACK_BEGINS;
	stacks->waits = stacks->next != stacks->number;
	if (DWELL_RARELY(stacks->begins) && is_first) {
		stacks->begins = false;
		if (stacks->waits)
			dwell_pair_disclaim(&thread->pair, stacks->claimed_ticks);
		if (stacks->waits)
			change_over(thread, context, stacks->begin_ticks);
	}
}

void thread_feed_events(struct thread *thread, struct thread_context *context, const struct message_events *message)
{
	const struct event *end = message->events + message->count;
	struct message_events rest = *message;
	uint64_t ticks;

	while (rest.count) {
		const struct event *last;
		uint32_t fed = DWELL_RARELY(thread->stacks.waits) ? count_lost(&rest) : 0;

		if (fed) {
			rest.count = fed;
		} else if (DWELL_RARELY(thread->stacks.waits) && says_time(rest.events, end, &ticks)) {
			change_over(thread, context, ticks);
		}
		rest.events += thread_feed_run(thread_get_running(thread), context, &rest);
		rest.count = (uint32_t)(end - rest.events);
		last = rest.events - 1;
		if (last->kind == EVENT_STACK)
			take_stack(thread, context, last->value, find_time(message->events, rest.events) == rest.events);
		else if (DWELL_RARELY(thread_event_is_doubt(last)))
			doubt_others(thread, context);
	}
	thread->stacks.begins &= find_time(message->events, end) == end;
}

/* ---- checkpoints ---- */

/* The time up to which the stack's data goes; where it has none, from which on, as soon as it has some. */
static uint64_t known_until(const struct thread *stack, const struct message_checkpoint *part, uint64_t floor_ticks)
{
	uint64_t first;

	if (thread_has_begun(stack))
		return stack->pair.last_ticks;
	if (!part->count)
		return part->ticks;
	first = part->frames[0].enter_ticks < part->ticks ? part->frames[0].enter_ticks : part->ticks;
	return first > floor_ticks ? first : floor_ticks;
}

/* What the checkpoint says of one stack. budget: time that open calls may still say was their own, of all stacks together. */
static void take_part(struct thread *thread, struct thread *stack, struct thread_context *context, struct message_checkpoint *part,
	uint64_t floor_ticks, uint64_t *budget)
{
	uint64_t from = known_until(stack, part, floor_ticks), lost, gained;
	bool had_begun = thread_has_begun(stack);

	if (!had_begun && !part->count)
		return;
	lost = had_begun ? stack->pair.lost_ticks + stack->pair.wait_lost_ticks : 0;
	thread_take_checkpoint(stack, context, part, floor_ticks);
	gained = part->ticks > from ? part->ticks - from : 0;
	thread->stacks.told_twice_ticks += gained;
	gained -= stack->pair.lost_ticks - lost < gained ? stack->pair.lost_ticks - lost : gained;
	if (gained > *budget)
		dwell_pair_disclaim(&stack->pair, gained - *budget);
	*budget -= gained < *budget ? gained : *budget;
	if (stack != thread_get_running(thread))
		feed_one(stack, context, EVENT_OFF, part->ticks);
}

/* The frames of one stack stand together. */
static struct message_checkpoint next_part(const struct message_checkpoint *message, uint32_t *at, uint32_t *number)
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

/* How many frames there are before a stack comes a second time: from there on the checkpoint is broken. Without memory: none. */
static uint32_t count_sound(const struct message_checkpoint *message)
{
	struct named *list = malloc((message->count ? message->count : 1) * sizeof *list);
	uint32_t sound = list ? message->count : 0, count = 0;

	for (uint32_t at = 0; list && at < message->count; count++) {
		list[count].at = at;
		next_part(message, &at, &list[count].number);
	}
	if (list)
		qsort(list, count, sizeof *list, by_number);
	for (uint32_t i = 1; i < count; i++)
		if (list[i].number == list[i - 1].number && list[i].at < sound)
			sound = list[i].at;
	free(list);
	return sound;
}

/* When the first of its stacks was entered. */
static uint64_t begin_of(const struct message_checkpoint *message)
{
	uint64_t ticks = message->ticks;
	uint32_t number;

	for (uint32_t at = 0; at < message->count;) {
		struct message_checkpoint part = next_part(message, &at, &number);

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

/* Where the thread's data begins and ends so far; false: there is none. */
static bool find_span(const struct thread *thread, uint64_t *first, uint64_t *last)
{
	bool any = thread_has_begun(thread);

	*first = any ? thread->pair.first_ticks : UINT64_MAX;
	*last = any ? thread->pair.last_ticks : 0;
	for (size_t i = 0; i < thread->stacks.count; i++) {
		const struct thread *stack = thread->stacks.list[i];

		if (!thread_has_begun(stack))
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

	/* It tells how things stood at the last event before, which matters here: only one stack spent the time since. */
	if (message->floor_ticks && message->floor_ticks < message->ticks)
		then.ticks = message->floor_ticks;
	then.count = count_sound(message);
	message = &then;
	if (!find_span(thread, &first, &last))
		first = last = begin_of(message);
	if (then.ticks < last)
		then.ticks = last;
	thread->stacks.begins = true;
	thread->stacks.begin_ticks = then.ticks;
	thread->stacks.claimed_ticks = 0;
	budget = message->ticks - last;
	thread->stacks.told_twice_ticks -= budget;
	for (size_t i = 0; i < thread->stacks.count; i++)
		thread->stacks.list[i]->told = false;
	thread->told = false;
	for (uint32_t at = 0; at < message->count;) {
		struct message_checkpoint part = next_part(message, &at, &number);
		struct thread *stack = find_or_add(thread, context, number);

		if (!stack)
			continue; /* no memory */
		stack->told = true;
		take_part(thread, stack, context, &part, first, &budget);
	}
	/* On those that it does not name nothing is open. */
	for (size_t i = 0; i <= thread->stacks.count; i++) {
		struct thread *stack = i ? thread->stacks.list[i - 1] : thread;
		struct message_checkpoint part = *message;

		part.count = 0;
		if (!stack->told)
			take_part(thread, stack, context, &part, first, &budget);
	}
	/* From here on one of them runs, if only that nothing is known of it. */
	if (!thread_has_begun(thread_get_running(thread)) && find_span(thread, &first, &last))
		feed_one(thread_get_running(thread), context, EVENT_ON, then.ticks);
}

/* Whether the checkpoint says what is known anyway, so that what was lost before it did no harm. */
static bool agrees(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	if (!agree_with_checkpoint(thread, context, message))
		return false;
	for (size_t i = 0; i <= thread->stacks.count; i++) {
		struct thread *stack = i ? thread->stacks.list[i - 1] : thread;

		stack->unsure = stack->unnamed = false;
	}
	return true;
}

void thread_feed_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	bool wanted = thread_wants_checkpoint(thread);

	if (message->first || message->after_loss) { /* else it is known; a chunk that begins on another stack says so */
		thread->stacks.next = 0;
		thread->stacks.waits = thread->stacks.number != 0;
	}
	for (size_t i = 0; i < thread->stacks.count; i++)
		wanted |= thread_wants_checkpoint(thread->stacks.list[i]);
	if (!message->first && !message->after_loss && (!wanted || message->incomplete || agrees(thread, context, message)))
		return;
	if (thread->stacks.count || has_stacks(message)) {
		take_stacks(thread, context, message);
		return;
	}
	thread_take_checkpoint(thread, context, message, 0);
	if (!message->floor_ticks || message->floor_ticks > message->ticks)
		return;
	/* It may be that another stack runs all the same, on which nothing is open. */
	thread->stacks.begins = true;
	thread->stacks.begin_ticks = message->ticks;
	thread->stacks.claimed_ticks = message->ticks - message->floor_ticks;
}

/* ---- the end ---- */

void thread_finish(struct thread *thread, struct thread_context *context)
{
	struct stacks *stacks = &thread->stacks;
	struct profile_thread *row = &thread->row;
	uint64_t there, elapsed;
	bool any = thread_has_begun(thread);

	stacks->current = NULL;
	thread_finish_own(thread, context);
	if (!stacks->count && !stacks->given_up)
		return;
	there = any ? row->last_ticks - row->first_ticks : 0;
	for (size_t i = 0; i < stacks->count; i++) {
		stacks->current = stacks->list[i];
		thread_finish_own(stacks->list[i], context);
		there += join_row(row, stacks->list[i], &any);
	}
	if (stacks->given_up) {
		const struct profile_thread *from = &stacks->given_up->row;

		add_row(row, from);
		there += stacks->given_up_ticks;
		row->first_ticks = !any || from->first_ticks < row->first_ticks ? from->first_ticks : row->first_ticks;
		row->last_ticks = !any || from->last_ticks > row->last_ticks ? from->last_ticks : row->last_ticks;
	}
	/* Modulo 2^64: of a broken trace, what all stacks lost together may be more. */
	elapsed = row->last_ticks - row->first_ticks;
	row->outside_ticks -= stacks->suspended_ticks;
	row->lost_ticks -= stacks->told_twice_ticks;
	row->balanced &= stacks->suspended_ticks + stacks->told_twice_ticks == there - elapsed && row->self_ticks <= elapsed &&
			 row->lost_ticks <= elapsed - row->self_ticks &&
			 row->held_ticks <= elapsed - row->self_ticks - row->lost_ticks &&
			 row->outside_ticks == elapsed - row->self_ticks - row->lost_ticks - row->held_ticks;
	if (row->off_untold) /* each stack was from its first event to its last, which is more than the thread all together */
		off_set_unknown(row, context);
}

/* ---- what is open ---- */

struct call thread_get_open(const struct thread *thread, const struct thread_context *context, uint32_t index)
{
	const struct dwell_frame *frame = &thread->frames[index];

	return (struct call){
		.stream = thread->row.stream,
		.function = frame->id == DWELL_ID_UNKNOWN ? context->unknown_id : (uint32_t)frame->id,
		.parent = FUNCTION_NONE,
		.depth = index,
		.flags = frame->flags,
		.tag = (uint32_t)(frame->user >> THREAD_TAG_SHIFT),
		.enter_ticks = frame->enter_ticks,
		.total_ticks = frame->child_ticks,
		.values = values_of(&thread->values, index),
	};
}

void thread_tag_open(struct thread *thread, uint32_t index, uint32_t tag)
{
	struct dwell_frame *frame = &thread->frames[index];

	frame->user = (frame->user & UINT32_MAX) | (uint64_t)tag << THREAD_TAG_SHIFT;
}
