/* index: finds an item of an array by a key that the item itself holds. Open addressing; hash and position only, 8 bytes a slot.
 *
 *     uint32_t hash = index_hash(key);
 *     for (uint32_t at = index_first(&index, hash), item; (item = index_item(&index, at, hash)) != INDEX_END;
 *             at = index_next(&index, at))
 *             if (item != INDEX_OTHER && items[item].key == key)
 *                     return item;
 */
#ifndef DWELL_HOST_MODEL_INDEX_H
#define DWELL_HOST_MODEL_INDEX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define INDEX_END UINT32_MAX         /* nothing further has this hash */
#define INDEX_OTHER (UINT32_MAX - 1) /* an item of another hash stands here */

struct index_slot {
	uint32_t hash;
	uint32_t item; /* position + 1; 0: free */
};

/* Zeroed: empty. */
struct index {
	struct index_slot *slots;
	uint32_t mask; /* slots − 1, a power of two − 1; meaningless while slots is null */
	uint32_t used;
};

static inline uint32_t index_hash(uint64_t key)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15u;
	key ^= key >> 29;
	key *= 0xbf58476d1ce4e5b9u;
	return (uint32_t)(key >> 32);
}

static inline uint32_t index_hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return index_hash(hash);
}

static inline uint32_t index_first(const struct index *index, uint32_t hash)
{
	return index->slots ? hash & index->mask : 0;
}

static inline uint32_t index_next(const struct index *index, uint32_t at)
{
	return (at + 1) & index->mask;
}

static inline uint32_t index_item(const struct index *index, uint32_t at, uint32_t hash)
{
	if (!index->slots || !index->slots[at].item)
		return INDEX_END;
	return index->slots[at].hash == hash ? index->slots[at].item - 1 : INDEX_OTHER;
}

static inline void index_place(struct index *index, uint32_t hash, uint32_t item)
{
	uint32_t at = hash & index->mask;

	while (index->slots[at].item)
		at = index_next(index, at);
	index->slots[at] = (struct index_slot){hash, item + 1};
}

/* Adds an item that is not in it. At most 2/3 of the slots are ever used. False when there is no memory. */
static inline bool index_put(struct index *index, uint32_t hash, uint32_t item)
{
	uint32_t slots = index->slots ? index->mask + 1 : 0;

	if (index->used + 1 > slots / 3 * 2) {
		struct index grown = {0};

		if (slots > UINT32_MAX / 4)
			return false;
		grown.mask = slots ? slots * 2 - 1 : 15;
		grown.slots = calloc((size_t)grown.mask + 1, sizeof *grown.slots);
		if (!grown.slots)
			return false;
		for (uint32_t at = 0; at < slots; at++)
			if (index->slots[at].item)
				index_place(&grown, index->slots[at].hash, index->slots[at].item - 1);
		grown.used = index->used;
		free(index->slots);
		*index = grown;
	}
	index_place(index, hash, item);
	index->used++;
	return true;
}

static inline void index_clear(struct index *index)
{
	free(index->slots);
	*index = (struct index){0};
}

#endif
