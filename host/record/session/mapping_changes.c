/* mapping_changes: keeps the changes of mapped code in a list that other threads read meanwhile. */
#include "record/session/mapping_changes.h"

#include <stdlib.h>

#include "core/stamps.h"

void mapping_changes_add(struct mapping_changes *mapping_changes, const struct message_module *module)
{
	struct mapping_change *change = calloc(1, sizeof *change);

	if (!change)
		return;
	*change = (struct mapping_change){NULL, module->low, module->high, module->load_ticks, module->process};
	if (mapping_changes->last)
		__atomic_store_n(&mapping_changes->last->next, change, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&mapping_changes->first, change, __ATOMIC_RELEASE);
	mapping_changes->last = change;
}

void mapping_changes_clear(struct mapping_changes *mapping_changes)
{
	for (struct mapping_change *change = mapping_changes->first, *next; change; change = next) {
		next = change->next;
		free(change);
	}
	*mapping_changes = (struct mapping_changes){0};
}

const struct mapping_change *mapping_changes_next(struct mapping_changes_view *view)
{
	const struct mapping_change *change;

	while (view->mapping_changes) {
		change = view->passed ? __atomic_load_n(&view->passed->next, __ATOMIC_ACQUIRE)
				      : __atomic_load_n(&view->mapping_changes->first, __ATOMIC_ACQUIRE);
		if (!change || change->process == view->process)
			return change;
		view->passed = change;
	}
	return NULL;
}

uint32_t mapping_changes_split(struct mapping_changes_view *view, struct dwell_slot_cursor cursor, const uint64_t *slots,
	uint32_t count, const struct mapping_change **change)
{
	*change = mapping_changes_next(view);
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

bool mapping_change_affects(const struct mapping_change *change, const struct dwell_paths *paths)
{
	uint64_t bytes = change->high - change->low;
	bool any = false;

	for (uint32_t i = 0; i < paths->function_count; i++)
		any |= (uint32_t)((uint32_t)paths->functions[i].place - (uint32_t)change->low) < bytes;
	return any;
}
