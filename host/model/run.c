/* run: calls counted straight from packed slots, for thread.c. What it does is what thread_feed_run does with the events that the slots
 * would be; what it does not do it leaves. */
#include "pack/run.h"

#include "model/account.h"
#include "model/thread.h"

/* The function of an enter's low word as the run's user keeps it: id + 1. 0: to be asked for. */
static uint32_t find_user(
	const struct thread *thread, const struct thread_context *context, struct run *run, uint32_t number, enum dwell_place_kind kind)
{
	struct run_name *name = &run->names[number];
	uint32_t scope = function_cache_scope(thread->row.process, kind), id;

	if (name->low < DWELL_TAG_LIMIT || name->low & 1u)
		return 0;
	id = functions_find_cached(context->functions, scope, name->low);
	if (id >= thread->function_count || id >= context->profile->function_count)
		return 0; /* FUNCTION_NONE, too */
	return name->user = id + 1;
}

static __attribute__((noinline)) void leave(struct thread *thread, struct thread_context *context, struct dwell_call call)
{
	account_leave(thread, context, &call, (uint32_t)call.id);
}

/* rows_only: a constant, so that there are two loops. */
__attribute__((always_inline)) static inline void take(
	struct thread *thread, struct thread_context *context, struct run *run, enum dwell_place_kind kind, bool rows_only)
{
	struct profile_function *functions = context->profile->functions;
	struct dwell_pair_row row = dwell_pair_begin_row(&thread->pair);
	const struct dwell_frame *lowest = row.bottom + thread->off.depth;
	uint64_t limit = run->ticks | UINT32_MAX, events;
	const bool no_durations = context->options.no_durations;
	uint32_t depth = thread->pair.depth, pieces = 0;
	struct run at = *run;
	struct run_slot slot;

	limit = limit < thread->off.next_ticks ? limit : thread->off.next_ticks;
	while (run_look(&at, &slot)) {
		uint64_t ticks = at.ticks + slot.step;
		const struct dwell_frame *frame;
		struct dwell_frame *entered;
		uint32_t id;

		if (DWELL_RARELY(ticks > limit))
			goto unusual;
		if (slot.number == DWELL_PACK_EXIT) {
			uint32_t low = run_expected(&at);
			uint64_t total_ticks, self_ticks;

			if (DWELL_RARELY(row.next <= lowest) || DWELL_RARELY(row.next[-1].reserved != low) ||
				DWELL_RARELY(low < DWELL_TAG_LIMIT) || DWELL_RARELY(row.next[-1].id == DWELL_ID_UNKNOWN))
				goto unusual;
			if (DWELL_RARELY(slot.step >= context->long_ticks))
				account_long(thread, &row.next[-1], slot.step);
			frame = dwell_pair_row_exit(&row, ticks, &total_ticks, &self_ticks);
			run_take_exit(&at, &slot);
			id = (uint32_t)frame->id;
			if (rows_only ? account_leave_row(thread, &functions[id], id, frame->user, frame->flags, total_ticks, self_ticks)
				      : !no_durations && account_leave_path(thread, &functions[id], id, frame->user, frame->flags,
								 total_ticks, self_ticks))
				continue;
			pieces += (frame->flags & DWELL_CALL_PIECE) != 0;
			leave(thread, context, dwell_pair_row_call(&row, frame, ticks));
			functions = context->profile->functions;
			continue;
		}
		id = at.names[slot.number].user;
		if (DWELL_RARELY(!id))
			id = find_user(thread, context, &at, slot.number, kind);
		if (DWELL_RARELY(!id) || DWELL_RARELY(row.next >= row.limit))
			goto unusual;
		if (DWELL_RARELY(slot.step >= context->long_ticks) && row.next > row.bottom)
			account_long(thread, &row.next[-1], slot.step);
		entered = dwell_pair_row_enter(&row, --id, ticks);
		entered->reserved = at.names[slot.number].low | 1u;
		entered->user = rows_only ? account_enter_known(thread, id)
					  : account_enter_path(thread, entered > row.bottom ? entered - 1 : NULL, id);
		if (!rows_only && DWELL_RARELY(!entered->user))
			entered->user = account_enter(thread, context, (uint32_t)(entered - row.bottom), id, false);
		run_take_enter(&at, &slot, at.names[slot.number].low);
	}
	if (0)
unusual:
		run_put_back(&at, &slot);
	events = (uint64_t)(at.times - run->times);
	if (events)
		dwell_pair_end_row(&thread->pair, &row, at.ticks);
	thread->row.events += events;
	thread->row.calls += (events + depth - thread->pair.depth) / 2 - pieces; /* exits: enters are as many, but for how deep it is now */
	*run = at;
}

void thread_take_run(struct thread *thread, struct thread_context *context, const struct message_run *message)
{
	const struct model_options *options = &context->options;

	if (!thread->frames || thread->pair.state || thread->pushes_wait || thread->has_site || thread->off.watch ||
		thread->stacks.count || thread->stacks.waits || message->run->ticks < thread->pair.last_ticks || !options->want_profile ||
		options->want_values || options->on_call || options->on_enter)
		return;
	if (options->no_tree && !options->no_durations)
		take(thread, context, message->run, message->place_kind, true);
	else
		take(thread, context, message->run, message->place_kind, false);
}
