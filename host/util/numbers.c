/* numbers: see numbers.h. */
#include "util/numbers.h"

#include <stdlib.h>
#include <sys/random.h>

static struct numbers_slot *find_slot(const struct numbers *numbers, uint64_t key)
{
	uint64_t hash = key ^ numbers->seed;
	size_t at;

	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	at = (hash >> 32) & (numbers->capacity - 1);
	while (numbers->slots[at].is_used && numbers->slots[at].key != key)
		at = (at + 1) & (numbers->capacity - 1);
	return &numbers->slots[at];
}

static bool grow(struct numbers *numbers)
{
	struct numbers larger = {.count = numbers->count, .capacity = numbers->capacity ? 2 * numbers->capacity : 16,
		.seed = numbers->seed};

	larger.slots = calloc(larger.capacity, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	if (!larger.seed && getrandom(&larger.seed, sizeof larger.seed, GRND_NONBLOCK) < 0)
		larger.seed = (uintptr_t)larger.slots;
	for (size_t i = 0; i < numbers->capacity; i++)
		if (numbers->slots[i].is_used)
			*find_slot(&larger, numbers->slots[i].key) = numbers->slots[i];
	free(numbers->slots);
	*numbers = larger;
	return true;
}

uint32_t numbers_get(const struct numbers *numbers, uint64_t key)
{
	return numbers->capacity ? find_slot(numbers, key)->value : 0;
}

uint32_t *numbers_put(struct numbers *numbers, uint64_t key)
{
	struct numbers_slot *slot;

	if (2 * numbers->count >= numbers->capacity && !grow(numbers))
		return NULL;
	slot = find_slot(numbers, key);
	if (!slot->is_used) {
		*slot = (struct numbers_slot){.key = key, .is_used = true};
		numbers->count++;
	}
	return &slot->value;
}

void numbers_clear(struct numbers *numbers)
{
	free(numbers->slots);
	*numbers = (struct numbers){0};
}
