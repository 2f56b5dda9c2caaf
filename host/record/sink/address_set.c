/* address_set: a hash table with open addressing, which doubles when half full. */
#include "record/sink/address_set.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/sorted.h"

#define SIZE_AT_FIRST 1024u

/* The address's slot, or the free slot for it. */
static size_t find_slot(const struct address_set *set, uint64_t address)
{
	size_t at = hash_number(address) & (set->size - 1);

	while (set->slots[at] && set->slots[at] != address)
		at = (at + 1) & (set->size - 1);
	return at;
}

static bool grow(struct address_set *set)
{
	struct address_set larger = {.size = set->size ? set->size * 2 : SIZE_AT_FIRST, .count = set->count};

	larger.slots = calloc(larger.size, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < set->size; i++)
		if (set->slots[i])
			larger.slots[find_slot(&larger, set->slots[i])] = set->slots[i];
	free(set->slots);
	*set = larger;
	return true;
}

bool address_set_add(struct address_set *set, uint64_t address)
{
	size_t at;

	if (!address || (!set->size && !grow(set)))
		return false;
	at = find_slot(set, address);
	if (set->slots[at] || set->count >= ADDRESS_SET_MAX)
		return false;
	if (2 * (set->count + 1) > set->size) {
		if (!grow(set))
			return false;
		at = find_slot(set, address);
	}
	set->slots[at] = address;
	set->count++;
	return true;
}

bool address_set_has(const struct address_set *set, uint64_t address)
{
	return address && set->size && set->slots[find_slot(set, address)];
}

void address_set_add_all(struct address_set *set, const struct address_set *more)
{
	for (size_t i = 0; i < more->size; i++)
		address_set_add(set, more->slots[i]);
}

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

void address_set_sort(struct address_set *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->size; i++)
		if (set->slots[i])
			set->slots[kept++] = set->slots[i];
	if (kept)
		qsort(set->slots, kept, sizeof *set->slots, by_value);
}

size_t address_set_count_below(const struct address_set *set, uint64_t address)
{
	return sorted_below(set->slots, set->count, address);
}

void address_set_clear(struct address_set *set)
{
	free(set->slots);
	*set = (struct address_set){0};
}
