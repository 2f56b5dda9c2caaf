/* streams: a hash table with open addressing; its capacity is a power of two and at least twice the count. */
#include <stdlib.h>
#include <sys/random.h>

#include "reader/dwell/streams.h"

/* Numbers come from the file, and whoever made it must not be able to make them collide: hence the seed. */
static struct stream *slot_of(struct stream *table, size_t capacity, uint64_t seed, uint32_t number)
{
	uint64_t hash = (number ^ seed) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at;

	hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	at = (hash >> 32) & (capacity - 1);
	while (table[at].used && table[at].number != number)
		at = (at + 1) & (capacity - 1);
	return &table[at];
}

static bool grow(struct streams *streams)
{
	size_t capacity = streams->capacity ? streams->capacity * 2 : 16;
	struct stream *table = calloc(capacity, sizeof *table);

	if (!table)
		return false;
	if (!streams->seed && getrandom(&streams->seed, sizeof streams->seed, GRND_NONBLOCK) < 0)
		streams->seed = (uintptr_t)table;
	for (size_t i = 0; i < streams->capacity; i++)
		if (streams->table[i].used)
			*slot_of(table, capacity, streams->seed, streams->table[i].number) = streams->table[i];
	free(streams->table);
	streams->table = table;
	streams->capacity = capacity;
	return true;
}

struct stream *streams_find(struct streams *streams, uint32_t number)
{
	struct stream *stream;

	if (2 * streams->count >= streams->capacity && !grow(streams))
		return NULL;
	stream = slot_of(streams->table, streams->capacity, streams->seed, number);
	if (!stream->used) {
		*stream = (struct stream){.number = number, .used = true};
		streams->count++;
	}
	return stream;
}

void streams_clear(struct streams *streams)
{
	free(streams->table);
	*streams = (struct streams){0};
}
