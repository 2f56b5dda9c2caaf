#include <stdlib.h>
#include <string.h>

#include "model/thread/account.h"
#include "model/thread/off.h"
#include "model/thread/thread_inner.h"

#define FRAMES_FIRST 64u
#define FRAMES_MAX (1u << 24)

void thread_reserve_frames(struct thread *thread, uint32_t frames)
{
	uint32_t capacity = thread->pair.capacity;
	struct dwell_frame *grown;

	if (thread->pair.capacity - thread->pair.depth >= frames)
		return;
	while (capacity - thread->pair.depth < frames && capacity < FRAMES_MAX)
		capacity *= 2;
	grown = realloc(thread->frames, capacity * sizeof *grown);
	if (!grown)
		return;
	thread->frames = grown;
	dwell_pair_grow(&thread->pair, grown, capacity);
}

/* Before the first event: what a thread that only has a name does not need. */
static bool begin(struct thread *thread, struct thread_context *context)
{
	if (!thread->frames) {
		thread->frames = malloc(FRAMES_FIRST * sizeof *thread->frames);
		if (!thread->frames)
			return thread_starve(context);
		if (thread->pair.capacity) /* not the first time: thread_shrink took them */
			dwell_pair_grow(&thread->pair, thread->frames, FRAMES_FIRST);
		else
			dwell_pair_init(&thread->pair, thread->frames, FRAMES_FIRST);
	}
	thread->by_rows |= context->options.no_tree;
	thread->pair.is_copy = thread->is_copy;
	if (context->options.want_profile && !context->options.no_tree && !thread->tree.nodes &&
		!tree_init(&thread->tree, TREE_NODES_OF_THREAD)) {
		tree_free(&thread->tree);
		return thread_starve(context);
	}
	return true;
}

static uint32_t unknown_function(struct thread_context *context)
{
	if (context->unknown_id == FUNCTION_NONE)
		context->unknown_id = functions_find_name(context->functions, "(unknown)");
	return context->unknown_id;
}

static uint32_t function_of(struct thread_context *context, uint64_t id)
{
	return id == DWELL_ID_UNKNOWN ? unknown_function(context) : (uint32_t)id;
}

static inline struct call describe(const struct thread *thread, struct thread_context *context, uint32_t index, uint64_t id)
{
	return (struct call){
		.stream = thread->row.stream,
		.function = function_of(context, id),
		.parent = index ? function_of(context, thread->frames[index - 1].id) : FUNCTION_NONE,
		.depth = index,
	};
}

/* A frame appeared at index. */
static inline void note_enter(struct thread *thread, struct thread_context *context, uint32_t index)
{
	struct dwell_frame *frame = &thread->frames[index];
	uint64_t user = 0;

	if (context->options.want_values)
		values_enter(&thread->values, index, thread->pair.capacity);
	if (context->options.want_profile)
		user = account_enter(thread, context, index, function_of(context, frame->id), frame->id == DWELL_ID_UNKNOWN);
	if (context->options.on_enter) {
		struct call call = describe(thread, context, index, frame->id);

		call.enter_ticks = frame->enter_ticks;
		call.flags = frame->flags;
		user |= (uint64_t)context->options.on_enter(context->options.context, &call) << THREAD_TAG_SHIFT;
	} else if (context->options.on_call) {
		user |= (uint64_t)MODEL_TAG_SEEN << THREAD_TAG_SHIFT;
	}
	frame->user = user;
}

/* What a call took is without what the recorder held it up. */
static void take_held(struct dwell_call *left, uint64_t held_ticks)
{
	uint64_t others_ticks = left->total_ticks - left->self_ticks;

	left->total_ticks -= held_ticks < others_ticks ? held_ticks : others_ticks;
}

static inline void note_leave(struct thread *thread, struct thread_context *context, struct dwell_call *left)
{
	struct off_frame off = {0};
	bool was_off = DWELL_RARELY(left->depth < thread->off.depth);

	thread->row.calls += !(left->flags & DWELL_CALL_PIECE);
	if (was_off) {
		account_find_outermost(thread, left);
		off = off_leave(&thread->off, left, function_of(context, left->id));
		take_held(left, off.total.held_ticks);
	}
	if (context->options.want_profile)
		account_leave(thread, context, left, function_of(context, left->id));
	if (was_off && context->options.want_profile)
		account_leave_off(thread, context, left, function_of(context, left->id), &off);
	if (context->options.on_call) {
		struct call call = describe(thread, context, left->depth, left->id);

		call.flags = left->flags;
		call.tag = (uint32_t)(left->user >> THREAD_TAG_SHIFT);
		call.enter_ticks = left->enter_ticks;
		call.exit_ticks = left->exit_ticks;
		call.total_ticks = left->total_ticks;
		call.self_ticks = left->self_ticks;
		call.total_off = off.total;
		call.self_off = off.self;
		call.values = context->options.want_values ? values_leave(&thread->values, left) : NULL;
		call.off_unknown = !thread->off.told || thread->off.late;
		context->options.on_call(context->options.context, &call);
	}
}

void thread_take_due(struct thread *thread, struct thread_context *context)
{
	struct dwell_call call;

	while (dwell_pair_pop(&thread->pair, &call))
		note_leave(thread, context, &call);
}

/* Frames whose functions were lost, from index on. */
void thread_note_enters(struct thread *thread, struct thread_context *context, uint32_t index)
{
	for (; index < thread->pair.depth; index++)
		note_enter(thread, context, index);
}

static void arrive(struct thread *thread, struct thread_context *context, uint64_t ticks)
{
	uint32_t depth = thread->pair.depth;

	thread->pushes_wait = false;
	thread->unnamed = true;
	dwell_pair_arrive(&thread->pair, ticks);
	if (!dwell_pair_is_landing(&thread->pair))
		off_settle(thread, context, depth);
	thread_note_enters(thread, context, depth);
}

static void lose(struct thread *thread, struct thread_context *context, const struct event *event)
{
	uint32_t count = event->value < UINT32_MAX ? (uint32_t)event->value : UINT32_MAX;

	off_lose(&thread->off);
	if (event->kind == EVENT_LOST) {
		dwell_pair_lost(&thread->pair, event->value, 0, 0);
		thread->unsure = true;
	} else if (event->kind == EVENT_LOST_POPS) {
		dwell_pair_lost(&thread->pair, 0, count, 0);
	} else {
		if (count <= DWELL_PAIR_PUSHES_MAX)
			thread_reserve_frames(thread, count);
		dwell_pair_lost(&thread->pair, 0, 0, count);
		thread->pushes_wait = true;
	}
	thread_take_due(thread, context);
}

/* With no call open, the pairing's section ends where time waits to be charged; so does that of the tree. For whatever ends all calls. */
static void end_section(struct thread *thread, struct thread_context *context)
{
	if (!thread->pair.depth && dwell_pair_is_waiting(&thread->pair) && context->options.want_profile)
		account_close_section(thread, context);
}

/* Everything but enter and exit. */
static void feed_rare(
	struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, const struct event *event)
{
	uint64_t held_ticks;

	thread->landed_may_follow &= event->kind == EVENT_LANDED;
	switch (event->kind) {
	case EVENT_UNWIND_JUMP:
	case EVENT_UNWIND_CATCH:
		thread->has_site = thread->misfit = false;
		thread->above = 0;
		thread->landed_may_follow = true;
		off_settle(thread, context, thread->pair.depth);
		thread->off.watch = true;
		dwell_pair_unwind(&thread->pair, event->ticks);
		break;
	case EVENT_CALLER:
		thread->has_site = true;
		thread->site = event->value;
		return;
	case EVENT_LANDED:
		landing_take(thread, context, kind, (uint32_t)event->value, event->ticks);
		return;
	case EVENT_LOST:
	case EVENT_LOST_POPS:
	case EVENT_LOST_PUSHES:
		lose(thread, context, event);
		break;
	case EVENT_OFF:
		off_pause(&thread->off);
		dwell_pair_off(&thread->pair, event->ticks);
		break;
	case EVENT_ON:
		off_go_on(&thread->off);
		dwell_pair_on(&thread->pair, event->ticks);
		return;
	case EVENT_HELD:
		off_hold(&thread->off);
		dwell_pair_held(&thread->pair, event->ticks);
		return;
	case EVENT_HELD_END:
		held_ticks = thread->pair.held_ticks;
		dwell_pair_held_end(&thread->pair, event->ticks);
		off_let_go(thread, context, thread->pair.held_ticks - held_ticks);
		return;
	case EVENT_ARG:
		values_add(&thread->values, &event->value);
		return;
	case EVENT_NO_ARG:
		values_add(&thread->values, NULL);
		return;
	case EVENT_RETURNS_TO:
		values_returns_to(&thread->values, event->value);
		return;
	case EVENT_RET:
	case EVENT_STACK:
		return;
	case EVENT_ENTER:
	case EVENT_EXIT:
	case EVENT_ENTRY:
		return;
	}
	end_section(thread, context);
}

bool thread_event_has_time(const struct event *event)
{
	return event->kind <= EVENT_UNWIND_CATCH || event->kind >= EVENT_OFF;
}

/* An exit after which what the thread was off the CPU has to be charged to whom it went on in. */
static void exit_watched(struct thread *thread, struct thread_context *context, uint32_t id, uint64_t ticks)
{
	struct dwell_call call;
	bool any, more;

	off_before_exit(thread, context);
	any = more = dwell_pair_exit(&thread->pair, id, ticks, &call);
	for (; more; more = dwell_pair_pop(&thread->pair, &call)) {
		if (!dwell_pair_is_due(&thread->pair)) /* the one whose exit it is */
			off_after_exit(thread, context, &call);
		note_leave(thread, context, &call);
	}
	if (!any)
		off_after_exit(thread, context, NULL);
}

/* An enter or exit comes: was the innermost call alone with the thread for long? */
static inline void note_piece(struct thread *thread, const struct thread_context *context, uint64_t ticks)
{
	const struct dwell_pair *pair = &thread->pair;

	if (DWELL_RARELY(ticks - pair->last_ticks >= context->long_ticks) && ticks > pair->last_ticks && pair->depth && !pair->state)
		account_long(thread, &thread->frames[pair->depth - 1], ticks - pair->last_ticks);
}

/* Calls that end as they should, and calls that begin, as far as nothing else happens, and nobody but the profile wants to know.
 * Returns the event that it is not for. */
static const struct event *feed_calls(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind,
	const struct event *event, const struct event *end)
{
	const uint32_t scope = function_cache_scope(thread->row.process, kind);
	struct dwell_pair *pair = &thread->pair;
	const struct event *first = event;
	uint64_t calls = 0;

	if (pair->state || thread->pushes_wait || thread->has_site || thread->off.watch || context->is_untimed ||
		!context->options.want_profile || context->options.on_call || context->options.on_enter)
		return event;
	for (; event < end; event++) {
		uint32_t mark = thread_place_mark(event->value), id;

		if (DWELL_RARELY(event->kind > EVENT_EXIT || event->ticks > thread->off.next_ticks || event->ticks < pair->last_ticks))
			break;
		if (event->kind == EVENT_EXIT) {
			const struct dwell_frame *top = &thread->frames[pair->depth - 1];
			struct dwell_call call;

			if (DWELL_RARELY(!pair->depth || pair->depth <= thread->off.depth || top->reserved != mark || !mark ||
				    top->id == DWELL_ID_UNKNOWN))
				break;
			note_piece(thread, context, event->ticks);
			dwell_pair_exit(pair, top->id, event->ticks, &call);
			calls++;
			account_leave(thread, context, &call, (uint32_t)call.id);
			continue;
		}
		id = functions_find_cached(context->functions, scope, event->value);
		if (DWELL_RARELY(id == FUNCTION_NONE || pair->depth >= pair->reached))
			break;
		note_piece(thread, context, event->ticks);
		struct dwell_frame *frame = dwell_pair_enter(pair, id, event->ticks);
		frame->reserved = mark;
		frame->user = account_enter(thread, context, pair->depth - 1, id, false);
	}
	thread->row.events += (uint64_t)(event - first);
	thread->row.calls += calls;
	return event;
}

/* Of an enter or exit; FUNCTION_NONE when there is no memory. */
static uint32_t find_function(
	const struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, const struct event *event)
{
	const struct dwell_frame *top = thread->pair.depth ? &thread->frames[thread->pair.depth - 1] : NULL;
	uint32_t mark = thread_place_mark(event->value);

	if (event->kind == EVENT_EXIT && top && mark && top->reserved == mark && top->id != DWELL_ID_UNKNOWN)
		return (uint32_t)top->id;
	return functions_find(context->functions, thread->row.process, (struct place){kind, event->value}, event->ticks);
}

uint32_t thread_feed_run(struct thread *thread, struct thread_context *context, const struct message_events *message)
{
	const struct event *event = message->events, *end = event + message->count;

	if (!begin(thread, context))
		return message->count;
	for (; event < end; event++) {
		struct dwell_frame *frame;
		struct dwell_call call;
		uint32_t id;

		event = feed_calls(thread, context, message->place_kind, event, end);
		if (event == end)
			return message->count;
		if (DWELL_RARELY(event->ticks > thread->off.next_ticks) && thread_event_has_time(event))
			off_advance_slowly(thread, context, event->ticks);
		if (DWELL_RARELY(thread->pushes_wait) && thread_event_has_time(event))
			arrive(thread, context, event->ticks);
		if (DWELL_RARELY(dwell_pair_is_misfit(&thread->pair)) && event->kind != EVENT_LANDED)
			landing_settle_misfit(thread, context);
		if (DWELL_RARELY(event->kind > EVENT_EXIT)) {
			if (event->kind == EVENT_ENTRY)
				entries_count(thread, context, message->place_kind, event);
			else
				feed_rare(thread, context, message->place_kind, event);
			if (DWELL_RARELY(event->kind == EVENT_STACK || thread_event_is_doubt(event)))
				return (uint32_t)(event - message->events) + 1;
			continue;
		}
		id = find_function(thread, context, message->place_kind, event);
		if (DWELL_RARELY(id == FUNCTION_NONE)) {
			thread_starve(context);
			continue;
		}
		thread->row.events++;
		if (context->options.want_values)
			values_exit(&thread->values, event + 1 < end ? event + 1 : NULL);
		note_piece(thread, context, event->ticks);
		if (event->kind == EVENT_EXIT && DWELL_RARELY(thread->pair.state))
			landing_take_exit(thread, context, id);
		if (event->kind == EVENT_EXIT && DWELL_RARELY(thread->off.watch || !thread->pair.depth)) {
			exit_watched(thread, context, id, event->ticks);
			continue;
		}
		if (event->kind == EVENT_EXIT) {
			bool more = dwell_pair_exit(&thread->pair, id, event->ticks, &call);

			for (; more; more = dwell_pair_pop(&thread->pair, &call))
				note_leave(thread, context, &call);
			continue;
		}
		if (DWELL_RARELY(thread->has_site))
			landing_take_site(thread, context, message->place_kind, event->ticks);
		if (DWELL_RARELY(thread->off.watch))
			off_settle(thread, context, thread->pair.depth);
		if (DWELL_RARELY(dwell_pair_full(&thread->pair)))
			thread_reserve_frames(thread, 1);
		frame = dwell_pair_enter(&thread->pair, id, event->ticks);
		if (!frame)
			continue;
		frame->reserved = thread_place_mark(event->value);
		note_enter(thread, context, thread->pair.depth - 1);
	}
	return message->count;
}

/* Frames that the checkpoint is right about know their places now. */
static void mark_places(
	struct thread *thread, const struct message_checkpoint *message, const struct dwell_frame *frames)
{
	for (uint32_t i = 0; i < message->count && i < thread->pair.depth; i++)
		if (thread->frames[i].id == frames[i].id && frames[i].id != DWELL_ID_UNKNOWN)
			thread->frames[i].reserved = thread_place_mark(message->frames[i].place);
}

/* The frames of a checkpoint with function ids in place of places. Null when there is no memory. */
static struct dwell_frame *make_frames(
	const struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	struct dwell_frame *frames = calloc(message->count ? message->count : 1, sizeof *frames);

	for (uint32_t i = 0; frames && i < message->count; i++) {
		const struct message_frame *from = &message->frames[i];
		struct place place = {message->place_kind, from->place};

		frames[i].id = DWELL_ID_UNKNOWN;
		if (!from->no_place) {
			uint32_t id = functions_find(context->functions, thread->row.process, place, message->ticks);

			frames[i].id = id == FUNCTION_NONE ? DWELL_ID_UNKNOWN : id;
		}
		frames[i].enter_ticks = from->enter_ticks;
		frames[i].child_ticks = from->child_ticks;
		frames[i].flags = (from->no_entry ? DWELL_CALL_NO_ENTRY : 0) | (from->is_piece ? DWELL_CALL_PIECE : 0);
	}
	return frames;
}

bool thread_wants_checkpoint(const struct thread *thread)
{
	return thread->pushes_wait || thread->unnamed || thread->unsure;
}

void thread_take_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message,
	uint64_t earliest_ticks)
{
	struct dwell_frame *frames;
	uint64_t gap_ticks, child_ticks;
	bool had_begun;
	uint32_t known;

	if (!begin(thread, context))
		return;
	frames = make_frames(thread, context, message);
	if (!frames) {
		thread_starve(context);
		return;
	}
	for (uint32_t i = 0; i < message->count; i++)
		if (frames[i].enter_ticks < earliest_ticks)
			frames[i].enter_ticks = earliest_ticks;
	if (thread->pushes_wait)
		arrive(thread, context, message->ticks);
	dwell_pair_checkpoint(&thread->pair, frames, message->count);
	thread_take_due(thread, context);
	off_settle(thread, context, thread->pair.depth);
	had_begun = dwell_pair_has_begun(&thread->pair);
	known = thread->pair.depth;
	gap_ticks = thread->pair.last_ticks;
	child_ticks = known ? thread->frames[known - 1].child_ticks : 0;
	if (!known && context->options.want_profile)
		account_close_section(thread, context);
	if (message->count > known)
		thread_reserve_frames(thread, message->count - known);
	dwell_pair_adopt(&thread->pair, frames, message->count, message->ticks);
	thread_note_enters(thread, context, known);
	off_adopt(thread, context, had_begun, known, gap_ticks, child_ticks);
	mark_places(thread, message, frames);
	thread->unsure = thread->unnamed = false;
	free(frames);
}

bool thread_resume(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message)
{
	bool good = !message->incomplete && !message->after_loss && begin(thread, context);
	bool counts_off = context->options.want_profile && thread->off.told; /* that of calls without a name has no owner yet */

	if (!good)
		return false;
	thread_reserve_frames(thread, message->count);
	struct dwell_frame *frames = make_frames(thread, context, message);
	good = frames && message->count <= thread->pair.capacity;
	for (uint32_t i = 0; good && i < message->count; i++)
		good = !message->frames[i].stack && (frames[i].id != DWELL_ID_UNKNOWN || !counts_off);
	if (good) {
		memcpy(thread->frames, frames, message->count * sizeof *frames);
		good = dwell_pair_resume(&thread->pair, message->count, message->floor_ticks);
		mark_places(thread, message, frames);
	}
	free(frames);
	if (!good)
		return false;
	thread_note_enters(thread, context, 0);
	for (uint32_t i = 0; context->options.on_call && i < thread->pair.depth; i++)
		thread_tag_open(thread, i, MODEL_TAG_INHERITED);
	thread->section_inherited = true;
	return off_resume(&thread->off, message->count, message->floor_ticks);
}

void thread_doubt(struct thread *thread, struct thread_context *context)
{
	thread->pushes_wait = thread->has_site = false;
	dwell_pair_doubt(&thread->pair);
	thread_take_due(thread, context);
	off_settle(thread, context, 0);
	end_section(thread, context);
}

void thread_leave_all(struct thread *thread, struct thread_context *context)
{
	thread->pushes_wait = thread->has_site = false;
	dwell_pair_leave_all(&thread->pair);
	thread_take_due(thread, context);
	off_settle(thread, context, 0);
	end_section(thread, context);
}

void thread_finish_own(struct thread *thread, struct thread_context *context)
{
	struct profile_thread *row = &thread->row;
	const struct dwell_pair *pair = &thread->pair;

	row->balanced = true;
	if (pair->capacity && begin(thread, context)) {
		thread->pushes_wait = false; /* nothing happened in them */
		off_settle(thread, context, thread->pair.depth);
		dwell_pair_finish(&thread->pair);
		thread_take_due(thread, context);
		if (context->options.want_profile)
			account_close_section(thread, context);
		if (context->options.want_profile)
			account_settle(thread, context);
		row->balanced = dwell_pair_check(pair);
	}
	row->first_ticks = thread_has_begun(thread) ? pair->first_ticks : row->first_ticks; /* else of its samples */
	row->last_ticks = thread_has_begun(thread) ? pair->last_ticks : row->last_ticks;
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
	off_finish(thread, context);
}
