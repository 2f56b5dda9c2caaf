#include "model/thread/account.h"
#include "model/thread/off.h"
#include "model/thread/thread_inner.h"

#define FRAMES_LOOKED_AT 256u

/* The function that the call site is in. Only where a symbol says so: else each call would have a caller of its own. */
static uint32_t find_caller(
	const struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks)
{
	uint32_t process = thread->row.process, scope = function_cache_scope(process, kind);
	uint32_t id = functions_find_cached(context->functions, scope, thread->site);
	struct place site = {kind, thread->site};

	if (id != FUNCTION_NONE || !functions_find_site(context->functions, process, site, ticks).symbolised)
		return id;
	return functions_find(context->functions, process, site, ticks);
}

/* The topmost open frame of the function; UINT32_MAX: none, as far as was looked. */
static uint32_t find_open(const struct thread *thread, uint32_t function)
{
	uint32_t index = thread->pair.depth, end = index > FRAMES_LOOKED_AT ? index - FRAMES_LOOKED_AT : 0;

	while (index-- > end)
		if (thread->frames[index].id == function)
			return index;
	return UINT32_MAX;
}

/* Who asks for calls sees it begin and end. */
static void tell(struct thread *thread, struct thread_context *context, const struct dwell_call *counted, uint32_t parent)
{
	struct call call = {
		.stream = thread->row.stream,
		.function = (uint32_t)counted->id,
		.parent = parent,
		.depth = thread->pair.depth,
		.flags = counted->flags,
		.enter_ticks = counted->enter_ticks,
		.exit_ticks = counted->exit_ticks,
		.off_unknown = !thread->off.told || thread->off.late,
	};

	if (!context->options.on_enter)
		call.tag = MODEL_TAG_SEEN;
	else
		call.tag = context->options.on_enter(context->options.context, &call);
	if (context->options.on_call)
		context->options.on_call(context->options.context, &call);
}

/* A frame above all that are open, for as long as what it calls is counted. */
static struct dwell_frame *stand_in(struct thread *thread, struct thread_context *context, uint32_t function)
{
	struct dwell_frame *frame;

	if (dwell_pair_full(&thread->pair))
		thread_reserve_frames(thread, 1);
	if (dwell_pair_full(&thread->pair))
		return NULL;
	frame = &thread->frames[thread->pair.depth];
	*frame = (struct dwell_frame){.id = function, .enter_ticks = thread->pair.last_ticks};
	if (context->options.want_profile)
		frame->user = account_enter(thread, context, thread->pair.depth, function, false);
	return frame;
}

void entries_count(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, const struct event *event)
{
	struct place place = {kind, event->value};
	uint32_t id = functions_find(context->functions, thread->row.process, place, event->ticks);
	uint32_t caller = thread->has_site ? find_caller(thread, context, kind, event->ticks) : FUNCTION_NONE;
	uint32_t open = caller != FUNCTION_NONE ? find_open(thread, caller) : UINT32_MAX, parent = caller;
	struct dwell_frame *frame = NULL;
	struct dwell_call call;

	thread->has_site = false;
	thread->values.entered = 0;
	if (id == FUNCTION_NONE) {
		thread_starve(context);
		return;
	}
	thread->row.events++;
	if (open != UINT32_MAX && dwell_pair_is_landing(&thread->pair)) {
		dwell_pair_land(&thread->pair, open);
		thread_take_due(thread, context);
	}
	if (thread->off.watch && dwell_pair_is_landing(&thread->pair))
		off_go_on(&thread->off); /* a gap or a pause is over, and it is not known yet where the thread goes on */
	else if (thread->off.watch)
		off_settle(thread, context, thread->pair.depth);
	dwell_pair_count(&thread->pair, id, event->ticks, &call);
	if (caller != FUNCTION_NONE && open == UINT32_MAX)
		frame = stand_in(thread, context, caller);
	if (!frame)
		parent = call.depth ? thread_get_open(thread, context, call.depth - 1).function : FUNCTION_NONE;
	thread->row.calls++;
	if (context->options.want_profile) {
		call.depth += frame != NULL;
		call.user = account_enter(thread, context, call.depth, id, false);
		account_leave(thread, context, &call, id);
	}
	tell(thread, context, &call, parent);
	if (frame)
		account_forget(thread, frame);
}
