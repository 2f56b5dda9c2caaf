/* entries: counts calls without recorded exits, on the path through their callers. */
#include "model/thread/entries.h"

#include "model/thread/account.h"
#include "model/thread/calls.h"
#include "model/thread/off_cpu.h"

#define FRAMES_SEARCHED_MAX 256u /* the most frames that find_open searches */

/* The function that contains the call site. FUNCTION_NONE if no symbol covers the site: otherwise each site would be a caller of
 * its own. */
static uint32_t find_caller(
	const struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks)
{
	uint32_t process = stack->row.process, scope = function_cache_scope(process, kind);
	uint32_t id = functions_find_cached(context->functions, scope, stack->site);
	struct place site = {kind, stack->site};

	if (id != FUNCTION_NONE || !functions_find_site(context->functions, process, site, ticks).symbolised)
		return id;
	return functions_find(context->functions, process, site, ticks);
}

/* The topmost open frame of the function; UINT32_MAX: none among the searched frames. */
static uint32_t find_open(const struct stack *stack, uint32_t function)
{
	uint32_t index = stack->pair.depth, end = index > FRAMES_SEARCHED_MAX ? index - FRAMES_SEARCHED_MAX : 0;

	while (index-- > end)
		if (stack->frames[index].id == function)
			return index;
	return UINT32_MAX;
}

/* Passes the call to on_enter and on_call. */
static void pass_to_callbacks(
	struct stack *stack, struct thread_context *context, const struct dwell_call *counted, uint32_t parent)
{
	struct call call = {
		.stream = stack->row.stream,
		.function = (uint32_t)counted->id,
		.parent = parent,
		.depth = stack->pair.depth,
		.flags = counted->flags,
		.enter_ticks = counted->enter_ticks,
		.exit_ticks = counted->exit_ticks,
		.off_cpu_unknown = !stack->off_cpu.told || stack->off_cpu.late,
	};

	if (!context->options.on_enter)
		call.tag = MODEL_TAG_ENTERED;
	else
		call.tag = context->options.on_enter(context->options.context, &call);
	if (context->options.on_call)
		context->options.on_call(context->options.context, &call);
}

/* Makes a frame for a caller that is not open, above all open frames. entries_count removes it when the call is counted. Null: no
 * room. */
static struct dwell_frame *make_caller_frame(struct stack *stack, struct thread_context *context, uint32_t function)
{
	struct dwell_frame *frame;

	if (dwell_pair_full(&stack->pair))
		calls_reserve(stack, 1);
	if (dwell_pair_full(&stack->pair))
		return NULL;
	frame = &stack->frames[stack->pair.depth];
	*frame = (struct dwell_frame){.id = function, .enter_ticks = stack->pair.last_ticks};
	if (context->options.want_profile)
		frame->user = account_enter(stack, context, stack->pair.depth, function, false);
	return frame;
}

void entries_count(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, const struct event *event)
{
	struct place place = {kind, event->value};
	uint32_t id = functions_find(context->functions, stack->row.process, place, event->ticks);
	uint32_t caller = stack->has_site ? find_caller(stack, context, kind, event->ticks) : FUNCTION_NONE;
	uint32_t open = caller != FUNCTION_NONE ? find_open(stack, caller) : UINT32_MAX, parent = caller;
	struct dwell_frame *frame = NULL;
	struct dwell_call call;

	stack->has_site = false;
	stack->values.entered = 0;
	if (id == FUNCTION_NONE) {
		thread_out_of_memory(context);
		return;
	}
	stack->row.events++;
	if (open != UINT32_MAX && dwell_pair_is_landing(&stack->pair)) {
		dwell_pair_land(&stack->pair, open);
		calls_leave_due(stack, context);
	}
	if (stack->off_cpu.watch && dwell_pair_is_landing(&stack->pair))
		off_cpu_go_on(&stack->off_cpu); /* a gap or a stop is over; the data does not show yet which call continues */
	else if (stack->off_cpu.watch)
		off_cpu_settle(stack, context, stack->pair.depth);
	dwell_pair_count(&stack->pair, id, event->ticks, &call);
	if (caller != FUNCTION_NONE && open == UINT32_MAX)
		frame = make_caller_frame(stack, context, caller);
	if (!frame)
		parent = call.depth ? calls_get_open(stack, context, call.depth - 1).function : FUNCTION_NONE;
	stack->row.calls++;
	if (context->options.want_profile) {
		call.depth += frame != NULL;
		call.user = account_enter(stack, context, call.depth, id, false);
		account_leave(stack, context, &call, id, NULL);
	}
	pass_to_callbacks(stack, context, &call, parent);
	if (frame)
		account_undo_enter(stack, context, frame);
}
