/* lookup: the host's hash table: finds an item of an array by a key that the item itself contains. Open addressing. A slot holds
 * only hash and position, in 8 bytes, so the table needs no access to the items, and callers compare only items with the same hash.
 *
 *     uint32_t hash = hash_number(key);
 *     for (uint32_t at = hash, item; (item = lookup_next(&lookup, hash, &at)) != LOOKUP_NONE;)
 *             if (items[item].key == key)
 *                     return item;
 *     …add the item to the array…
 *     lookup_put(&lookup, hash, count);
 *
 * numbers.h and strings.h combine it with an array. Items cannot be removed. record/sink/address_set.h, record/stage/judge.h and
 * throttle_list.h have tables of their own, for reasons given there. */
#ifndef DWELL_HOST_UTIL_LOOKUP_H
#define DWELL_HOST_UTIL_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

#define LOOKUP_NONE UINT32_MAX /* no item, or no further item, has this hash; never a valid position */

struct lookup_slot {
	uint32_t hash;
	uint32_t item; /* position + 1; 0: free */
};

/* Zeroed: empty. */
struct lookup {
	struct lookup_slot *slots;
	uint32_t mask; /* number of slots, a power of two, minus 1; meaningless while slots is null */
	uint32_t used;
};

/* Returns the next item with that hash. *at starts as the hash, and becomes invalid when an item is added. */
static inline uint32_t lookup_next(const struct lookup *lookup, uint32_t hash, uint32_t *at)
{
	const struct lookup_slot *slot;

	if (!lookup->slots)
		return LOOKUP_NONE;
	do {
		slot = &lookup->slots[(*at)++ & lookup->mask];
	} while (slot->item && slot->hash != hash);
	return slot->item - 1; /* LOOKUP_NONE for a free slot */
}

/* Returns the slot of the item found last; the caller may store another item with an equal hash in the slot. */
static inline struct lookup_slot *lookup_found_slot(const struct lookup *lookup, uint32_t at)
{
	return &lookup->slots[(at - 1) & lookup->mask];
}

/* Stores an item in the first free slot for its hash. pre: at least one slot is free. Only for lookup_put. */
static inline void lookup_fill_slot(struct lookup *lookup, uint32_t hash, uint32_t item)
{
	uint32_t at = hash & lookup->mask;

	while (lookup->slots[at].item)
		at = (at + 1) & lookup->mask;
	lookup->slots[at] = (struct lookup_slot){hash, item + 1};
}

/* Adds an item that is not in the table yet. item: its position in the caller's array. The table grows before
 * more than 2/3 of its slots are used. Returns false if out of memory; then the table is unchanged. */
static inline bool lookup_put(struct lookup *lookup, uint32_t hash, uint32_t item)
{
	uint32_t slots = lookup->slots ? lookup->mask + 1 : 0;

	if (lookup->used + 1 > slots / 3 * 2) {
		struct lookup grown = {0};

		if (slots > UINT32_MAX / 4)
			return false;
		grown.mask = slots ? slots * 2 - 1 : 15;
		grown.slots = calloc((size_t)grown.mask + 1, sizeof *grown.slots);
		if (!grown.slots)
			return false;
		for (uint32_t at = 0; at < slots; at++)
			if (lookup->slots[at].item)
				lookup_fill_slot(&grown, lookup->slots[at].hash, lookup->slots[at].item - 1);
		grown.used = lookup->used;
		free(lookup->slots);
		*lookup = grown;
	}
	lookup_fill_slot(lookup, hash, item);
	lookup->used++;
	return true;
}

/* Empties the table, but keeps memory for as many items as before. */
static inline void lookup_reset(struct lookup *lookup)
{
	if (lookup->used)
		memset(lookup->slots, 0, ((size_t)lookup->mask + 1) * sizeof *lookup->slots);
	lookup->used = 0;
}

/* Empties the table and frees its memory. */
static inline void lookup_clear(struct lookup *lookup)
{
	free(lookup->slots);
	*lookup = (struct lookup){0};
}

#endif
