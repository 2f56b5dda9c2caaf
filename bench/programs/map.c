#include <stdlib.h>
#include <string.h>

#include "mixed.h"

#define CAPACITY_FIRST 64

static uint32_t hash_of(const char *key, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)key[i]) * 16777619u;
	return hash;
}

static struct entry *slot_of(const struct map *map, uint32_t hash, size_t probe)
{
	return &map->entries[(hash + probe) & (map->capacity - 1)];
}

static bool is_same(const struct entry *entry, const char *key, size_t length, uint32_t hash)
{
	return entry->hash == hash && strlen(entry->key) == length && !memcmp(entry->key, key, length);
}

static struct entry *allocate(size_t count)
{
	struct entry *entries = calloc(count, sizeof *entries);

	if (!entries)
		abort();
	return entries;
}

static void insert(struct map *map, const struct entry *entry)
{
	size_t probe = 0;

	while (slot_of(map, entry->hash, probe)->key)
		probe++;
	*slot_of(map, entry->hash, probe) = *entry;
}

static void grow(struct map *map)
{
	struct map larger = {allocate(map->capacity * 2), map->count, map->capacity * 2};

	for (size_t i = 0; i < map->capacity; i++)
		if (map->entries[i].key)
			insert(&larger, &map->entries[i]);
	free(map->entries);
	*map = larger;
}

void map_begin(struct map *map)
{
	*map = (struct map){allocate(CAPACITY_FIRST), 0, CAPACITY_FIRST};
}

void map_end(struct map *map)
{
	for (size_t i = 0; i < map->capacity; i++)
		free(map->entries[i].key);
	free(map->entries);
}

static struct entry *add(struct map *map, const char *key, size_t length, uint32_t hash)
{
	struct entry entry = {strndup(key, length), hash, 0};
	size_t probe = 0;

	if (!entry.key)
		abort();
	if (map->count * 2 >= map->capacity)
		grow(map);
	map->count++;
	while (slot_of(map, hash, probe)->key)
		probe++;
	*slot_of(map, hash, probe) = entry;
	return slot_of(map, hash, probe);
}

int64_t *map_find(struct map *map, const char *key, size_t length)
{
	uint32_t hash = hash_of(key, length);
	struct entry *entry;

	for (size_t probe = 0; (entry = slot_of(map, hash, probe))->key; probe++)
		if (is_same(entry, key, length, hash))
			return &entry->value;
	return &add(map, key, length, hash)->value;
}
