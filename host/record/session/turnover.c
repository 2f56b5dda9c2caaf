/* turnover: keeps the changes of mapped code in a list that other threads read meanwhile. */
#include "record/session/turnover.h"

#include <stdlib.h>

#include "core/stamps.h"

void turnover_add(struct turnover *turnover, const struct message_module *module)
{
	struct turnover_change *change = calloc(1, sizeof *change);

	if (!change)
		return;
	*change = (struct turnover_change){NULL, module->low, module->high, module->load_ticks, module->process};
	if (turnover->last)
		__atomic_store_n(&turnover->last->next, change, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&turnover->first, change, __ATOMIC_RELEASE);
	turnover->last = change;
}

void turnover_clear(struct turnover *turnover)
{
	for (struct turnover_change *change = turnover->first, *next; change; change = next) {
		next = change->next;
		free(change);
	}
	*turnover = (struct turnover){0};
}

const struct turnover_change *turnover_next(struct turnover_view *view)
{
	const struct turnover_change *change;

	while (view->turnover) {
		change = view->passed ? __atomic_load_n(&view->passed->next, __ATOMIC_ACQUIRE)
				      : __atomic_load_n(&view->turnover->first, __ATOMIC_ACQUIRE);
		if (!change || change->process == view->process)
			return change;
		view->passed = change;
	}
	return NULL;
}

uint32_t turnover_split(struct turnover_view *view, struct dwell_slot_cursor cursor, const uint64_t *slots, uint32_t count,
	const struct turnover_change **change)
{
	*change = turnover_next(view);
	for (uint32_t i = 0; *change && i < count; i++) {
		struct dwell_slot_event event;

		dwell_slot_decode(&cursor, slots[i], &event);
		if (dwell_stamps_has_time(&event) && event.ticks >= (*change)->ticks) {
			view->passed = *change;
			return i;
		}
	}
	*change = NULL;
	return count;
}

bool turnover_has(const struct turnover_change *change, const struct dwell_paths *paths)
{
	uint64_t bytes = change->high - change->low;
	bool any = false;

	for (uint32_t i = 0; i < paths->function_count; i++)
		any |= (uint32_t)((uint32_t)paths->functions[i].place - (uint32_t)change->low) < bytes;
	return any;
}
