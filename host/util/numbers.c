/* numbers: maps 64-bit keys to 32-bit values (numbers.h). */
#include "util/numbers.h"

#include <stdlib.h>

#include "util/array.h"

static struct numbers_pair *find(const struct numbers *numbers, uint64_t key, uint32_t hash)
{
	for (uint32_t at = hash, item; (item = lookup_next(&numbers->lookup, hash, &at)) != LOOKUP_NONE;)
		if (numbers->pairs[item].key == key)
			return &numbers->pairs[item];
	return NULL;
}

uint32_t numbers_get(const struct numbers *numbers, uint64_t key)
{
	const struct numbers_pair *pair = find(numbers, key, hash_number(key));

	return pair ? pair->value : 0;
}

uint32_t *numbers_put(struct numbers *numbers, uint64_t key)
{
	uint32_t hash = hash_number(key);
	struct numbers_pair *pair = find(numbers, key, hash);

	if (pair)
		return &pair->value;
	if (numbers->count >= LOOKUP_NONE ||
		!array_reserve(&numbers->pairs, &numbers->capacity, numbers->count + 1, sizeof *numbers->pairs))
		return NULL;
	if (!lookup_put(&numbers->lookup, hash, (uint32_t)numbers->count))
		return NULL;
	pair = &numbers->pairs[numbers->count++];
	*pair = (struct numbers_pair){.key = key};
	return &pair->value;
}

void numbers_clear(struct numbers *numbers)
{
	free(numbers->pairs);
	lookup_clear(&numbers->lookup);
	*numbers = (struct numbers){0};
}
