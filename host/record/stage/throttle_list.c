/* throttle_list: appends functions, and looks up functions by place. */
#include "record/stage/throttle_list.h"

#include <stdlib.h>

#define TABLE 1024u

static uint32_t hash(uint32_t place)
{
	return (place >> 1) * 2654435761u >> 20 & (TABLE - 1);
}

void throttle_list_clear(struct throttle_list *list)
{
	for (uint32_t i = 0; i < sizeof list->blocks / sizeof *list->blocks; i++)
		free(list->blocks[i]);
	free(list->table);
	*list = (struct throttle_list){0};
}

bool throttle_list_add(struct throttle_list *list, const struct throttled *throttled)
{
	uint32_t index = list->count, i = hash(throttled->place);
	struct throttled **block;
	uint16_t *table;

	if (index == THROTTLE_LIST_MAX)
		return false;
	block = &list->blocks[index / THROTTLE_LIST_BLOCK];
	if (!*block && !(*block = calloc(THROTTLE_LIST_BLOCK, sizeof **block)))
		return false;
	if (!list->table) {
		if (!(table = calloc(TABLE, sizeof *table)))
			return false;
		__atomic_store_n(&list->table, table, __ATOMIC_RELEASE);
	}
	(*block)[index % THROTTLE_LIST_BLOCK] = *throttled;
	while (list->table[i])
		i = (i + 1) & (TABLE - 1);
	__atomic_store_n(&list->table[i], (uint16_t)(index + 1), __ATOMIC_RELEASE);
	__atomic_store_n(&list->count, index + 1, __ATOMIC_RELEASE);
	return true;
}

uint32_t throttle_list_find(const struct throttle_list *list, uint64_t place, uint64_t ticks)
{
	const uint16_t *table = __atomic_load_n(&list->table, __ATOMIC_ACQUIRE);
	uint32_t index, i = hash((uint32_t)place);

	if (place >> 32 || !table)
		return THROTTLE_LIST_MAX;
	for (; (index = __atomic_load_n(&table[i], __ATOMIC_ACQUIRE)); i = (i + 1) & (TABLE - 1)) {
		const struct throttled *throttled = throttle_list_at(list, index - 1);

		if (throttled->place == place && ticks < __atomic_load_n(&throttled->until_ticks, __ATOMIC_ACQUIRE))
			return index - 1;
	}
	return THROTTLE_LIST_MAX;
}

uint32_t throttle_list_find_resumed(const struct throttle_list *list, uint64_t place, uint64_t ticks)
{
	const uint16_t *table = __atomic_load_n(&list->table, __ATOMIC_ACQUIRE);
	uint32_t index, found = THROTTLE_LIST_MAX, i = hash((uint32_t)place);

	if (place >> 32 || !table)
		return THROTTLE_LIST_MAX;
	for (; (index = __atomic_load_n(&table[i], __ATOMIC_ACQUIRE)); i = (i + 1) & (TABLE - 1)) {
		const struct throttled *throttled = throttle_list_at(list, index - 1);

		if (throttled->place == place && ticks >= __atomic_load_n(&throttled->until_ticks, __ATOMIC_ACQUIRE) &&
			throttled->is_resumed)
			found = index - 1;
	}
	return found;
}
