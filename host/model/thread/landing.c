/* landing: finds the open call in which the thread continues, by the recorder's LANDED or by a call site. */
#include "model/thread/landing.h"

#include "core/slot.h"
#include "model/thread/account.h"
#include "model/thread/calls.h"
#include "model/thread/off_cpu.h"

#define SEARCH_MIN 256u /* each search may look at so many frames, even when the budget is used up */

/* The lowest index that a search of the open frames may look at, by the budget search_left. */
static uint32_t search_end(const struct stack *stack, const struct thread_context *context)
{
	return stack->pair.depth > context->search_left ? stack->pair.depth - (uint32_t)context->search_left : 0;
}

/* Subtracts the frames from the top down to end from the budget, after a search that found nothing, or only a guess. */
static void pay_for_search(const struct stack *stack, struct thread_context *context, uint32_t end)
{
	uint32_t looked = stack->pair.depth - end;

	context->search_left = context->search_left > looked + SEARCH_MIN ? context->search_left - looked : SEARCH_MIN;
}

/* The index of the open call entered at the place, after above further calls of the place. UINT32_MAX: none. */
static uint32_t find_open(const struct stack *stack, struct thread_context *context, uint32_t place, uint32_t above)
{
	uint32_t index = stack->pair.depth, end = search_end(stack, context);

	while (index-- > end)
		if (stack->frames[index].reserved == stack_place_mark(place) && !above--)
			return index;
	pay_for_search(stack, context, end);
	return UINT32_MAX;
}

/* The function of a call in which an unwind landed, but which is not open in the data; DWELL_ID_UNKNOWN
 * unless a gap or a fork may have hidden the call. */
static uint64_t landed_id(
	const struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint32_t place, uint64_t ticks)
{
	uint32_t id = FUNCTION_NONE;

	if (kind == DWELL_PLACE_LOW32 && (stack->pair.has_gap || stack->pair.is_copy))
		id = functions_find(context->functions, stack->row.process, (struct place){kind, place}, ticks);
	return id == FUNCTION_NONE ? DWELL_ID_UNKNOWN : id;
}

void landing_take(
	struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint32_t payload, uint64_t ticks)
{
	uint32_t above = stack->above, index = UINT32_MAX;

	stack->above = payload & DWELL_LANDED_ABOVE ? payload >> 1 : 0;
	if (payload & DWELL_LANDED_ABOVE || !stack->landed_may_follow || !dwell_pair_is_landing(&stack->pair))
		return;
	if (payload)
		index = find_open(stack, context, payload, above);
	if (payload && index == UINT32_MAX) {
		dwell_pair_misfit(&stack->pair, landed_id(stack, context, kind, payload, ticks));
		if (!stack->misfit && !dwell_pair_has_gap(&stack->pair)) {
			stack->row.lost_unwinds++;
			stack->misfit = true; /* unsure stays as it is: a checkpoint has no more information */
		}
		return;
	}
	stack->row.lost_unwinds -= stack->misfit;
	stack->misfit = false;
	if (!payload) {
		calls_leave_all(stack, context);
		return;
	}
	dwell_pair_land(&stack->pair, index);
	calls_leave_due(stack, context);
	off_cpu_settle(stack, context, stack->pair.depth);
}

/* The index of the open frame whose function contains the site: by the site's symbol; without a symbol, the function that begins
 * nearest before the site. UINT32_MAX: none. */
static uint32_t find_landing(struct stack *stack, struct thread_context *context, const struct function_site *site)
{
	uint64_t nearest = UINT64_MAX, distance;
	uint32_t index = stack->pair.depth, best = UINT32_MAX, end = search_end(stack, context);

	if (site->symbolised && site->id == FUNCTION_NONE)
		return UINT32_MAX; /* no call of it was recorded */
	while (index-- > end) {
		uint64_t id = stack->frames[index].id;

		if (site->symbolised) {
			if (id == site->id)
				return index;
			continue;
		}
		distance = id == DWELL_ID_UNKNOWN ? UINT64_MAX : functions_site_distance(context->functions, (uint32_t)id, site);
		if (distance < nearest) {
			nearest = distance;
			best = index;
		}
	}
	pay_for_search(stack, context, end);
	return best;
}

void landing_take_site(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks)
{
	struct place place = {kind, stack->site};
	struct function_site site;
	uint32_t index;

	stack->has_site = false;
	if (!dwell_pair_is_landing(&stack->pair))
		return;
	site = functions_find_site(context->functions, stack->row.process, place, ticks);
	index = find_landing(stack, context, &site);
	if (index == UINT32_MAX || (!site.symbolised && dwell_pair_has_gap(&stack->pair))) {
		stack->row.lost_unwinds += !dwell_pair_has_gap(&stack->pair);
		stack->unsure = true;
		dwell_pair_misfit(&stack->pair, DWELL_ID_UNKNOWN);
		landing_settle_misfit(stack, context);
		return;
	}
	dwell_pair_land(&stack->pair, index);
	calls_leave_due(stack, context);
}

void landing_settle_misfit(struct stack *stack, struct thread_context *context)
{
	if (!dwell_pair_settle_misfit(&stack->pair))
		return;
	calls_leave_due(stack, context);
	if (context->options.want_profile)
		account_close_section(stack, context);
	calls_reserve(stack, 1);
	if (dwell_pair_begin_landed(&stack->pair)) {
		off_cpu_begin_section(&stack->off_cpu);
		calls_enter_from(stack, context, stack->pair.depth - 1);
	} else {
		stack->off_cpu.was_unrecorded = true; /* the new section begins outside of calls */
	}
	off_cpu_settle(stack, context, stack->pair.depth);
}

void landing_take_exit(struct stack *stack, struct thread_context *context, uint32_t id)
{
	if (dwell_pair_exit_is_misfit(&stack->pair, id))
		landing_settle_misfit(stack, context);
}
