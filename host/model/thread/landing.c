#include "core/slot.h"
#include "model/thread/account.h"
#include "model/thread/off.h"
#include "model/thread/thread_inner.h"

#define SEARCH_EACH 256u

/* How far down a search may look. */
static uint32_t search_end(const struct thread *thread, const struct thread_context *context)
{
	return thread->pair.depth > context->search_left ? thread->pair.depth - (uint32_t)context->search_left : 0;
}

/* It looked down to there, and that was in vain, or for a guess. */
static void pay_for_search(const struct thread *thread, struct thread_context *context, uint32_t end)
{
	uint32_t looked = thread->pair.depth - end;

	context->search_left = context->search_left > looked + SEARCH_EACH ? context->search_left - looked : SEARCH_EACH;
}

/* The open call that was entered at the place and has above others of it above itself. */
static uint32_t find_open(const struct thread *thread, struct thread_context *context, uint32_t place, uint32_t above)
{
	uint32_t index = thread->pair.depth, end = search_end(thread, context);

	while (index-- > end)
		if (thread->frames[index].reserved == thread_place_mark(place) && !above--)
			return index;
	pay_for_search(thread, context, end);
	return UINT32_MAX;
}

/* Of a call that nobody knew to be open. */
static uint64_t landed_id(
	const struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint32_t place, uint64_t ticks)
{
	uint32_t id = FUNCTION_NONE;

	if (kind == DWELL_PLACE_LOW32 && (thread->pair.doubted || thread->pair.is_copy))
		id = functions_find(context->functions, thread->row.process, (struct place){kind, place}, ticks);
	return id == FUNCTION_NONE ? DWELL_ID_UNKNOWN : id;
}

void landing_take(
	struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint32_t payload, uint64_t ticks)
{
	uint32_t above = thread->above, index = UINT32_MAX;

	thread->above = payload & DWELL_LANDED_ABOVE ? payload >> 1 : 0;
	if (payload & DWELL_LANDED_ABOVE || !thread->landed_may_follow || !dwell_pair_is_landing(&thread->pair))
		return;
	if (payload)
		index = find_open(thread, context, payload, above);
	if (payload && index == UINT32_MAX) {
		dwell_pair_misfit(&thread->pair, landed_id(thread, context, kind, payload, ticks));
		if (!thread->misfit && !dwell_pair_is_in_doubt(&thread->pair)) {
			thread->row.lost_unwinds++;
			thread->misfit = true; /* a checkpoint does not know more */
		}
		return;
	}
	thread->row.lost_unwinds -= thread->misfit;
	thread->misfit = false;
	if (!payload) {
		thread_leave_all(thread, context);
		return;
	}
	dwell_pair_land(&thread->pair, index);
	thread_take_due(thread, context);
	off_settle(thread, context, thread->pair.depth);
}

/* The open frame that the site is in: of the function whose symbol holds it; without a symbol of that which begins nearest before
 * it. */
static uint32_t find_landing(struct thread *thread, struct thread_context *context, const struct function_site *site)
{
	uint64_t nearest = UINT64_MAX, distance;
	uint32_t index = thread->pair.depth, best = UINT32_MAX, end = search_end(thread, context);

	if (site->symbolised && site->id == FUNCTION_NONE)
		return UINT32_MAX; /* nobody ever entered it */
	while (index-- > end) {
		uint64_t id = thread->frames[index].id;

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
	pay_for_search(thread, context, end);
	return best;
}

void landing_take_site(struct thread *thread, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks)
{
	struct place place = {kind, thread->site};
	struct function_site site;
	uint32_t index;

	thread->has_site = false;
	if (!dwell_pair_is_landing(&thread->pair))
		return;
	site = functions_find_site(context->functions, thread->row.process, place, ticks);
	index = find_landing(thread, context, &site);
	if (index == UINT32_MAX || (!site.symbolised && dwell_pair_is_in_doubt(&thread->pair))) {
		thread->row.lost_unwinds += !dwell_pair_is_in_doubt(&thread->pair);
		thread->unsure = true;
		dwell_pair_misfit(&thread->pair, DWELL_ID_UNKNOWN);
		landing_settle_misfit(thread, context);
		return;
	}
	dwell_pair_land(&thread->pair, index);
	thread_take_due(thread, context);
}

void landing_settle_misfit(struct thread *thread, struct thread_context *context)
{
	if (!dwell_pair_settle_misfit(&thread->pair))
		return;
	thread_take_due(thread, context);
	if (context->options.want_profile)
		account_close_section(thread, context);
	thread_reserve_frames(thread, 1);
	if (dwell_pair_begin_landed(&thread->pair)) {
		off_begin_section(&thread->off);
		thread_note_enters(thread, context, thread->pair.depth - 1);
	} else {
		thread->off.was_away = true; /* it begins with what is outside */
	}
	off_settle(thread, context, thread->pair.depth);
}

void landing_take_exit(struct thread *thread, struct thread_context *context, uint32_t id)
{
	if (dwell_pair_exit_is_misfit(&thread->pair, id))
		landing_settle_misfit(thread, context);
}
