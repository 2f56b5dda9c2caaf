#include "query/parallel/crossings.h"

#include <stdlib.h>

#include "util/array.h"

/* Of a call: where it is in the list, and the chunk in which it ended. */
struct ending {
	uint32_t position, chunk;
};

struct crossings {
	struct part_calls *part_calls;
	struct crossings_chunk *chunks; /* and one behind the last */
	size_t chunk_count, chunk_capacity;
	struct part_call *calls; /* as they ended */
	size_t count, capacity;
	struct ending *endings; /* by stream, when it was entered, depth, end */
	bool failed;
};

struct crossings *make_crossings(void)
{
	struct crossings *crossings = calloc(1, sizeof *crossings);

	if (!crossings)
		return NULL;
	crossings->part_calls = make_part_calls(crossings);
	if (crossings->part_calls)
		return crossings;
	free(crossings);
	return NULL;
}

void free_crossings(struct crossings *crossings)
{
	if (!crossings)
		return;
	free_part_calls(crossings->part_calls);
	free(crossings->chunks);
	free(crossings->calls);
	free(crossings->endings);
	free(crossings);
}

struct part_calls *crossings_get_part_calls(struct crossings *crossings)
{
	return crossings->part_calls;
}

/* Asked from one thread only: part calls that have no room have none for what follows. */
bool crossings_have_failed(const struct crossings *crossings)
{
	return crossings->failed;
}

/* Calls that began in the chunk in which they end are none. */
void crossings_take(void *context, const struct call *call)
{
	struct part_calls *part_calls = context;

	if (call->tag != MODEL_TAG_SEEN && (part_calls->count >= CROSSINGS_MAX || !part_calls_add(part_calls, call)))
		part_calls->has_failed = true;
}

void crossings_add_chunk(struct crossings *crossings, const struct crossings_chunk *chunk)
{
	struct crossings_chunk *to;

	if (!array_reserve(&crossings->chunks, &crossings->chunk_capacity, crossings->chunk_count + 1, sizeof *crossings->chunks)) {
		crossings->failed = true;
		return;
	}
	to = &crossings->chunks[crossings->chunk_count];
	*to = *chunk;
	to->stream_first = chunk->is_first ? (uint32_t)crossings->chunk_count : crossings->chunks[chunk->previous].stream_first;
	crossings->chunk_count++;
	to->first = crossings->count;
	to->run = chunk->is_again && !chunk->is_first ? crossings->chunks[chunk->previous].run + 1 : 1;
	if (to->run > CROSSINGS_RUN_MAX && to->is_selected)
		crossings->failed = true;
}

void crossings_keep(struct crossings *crossings, struct part_calls *part_calls)
{
	crossings->failed |= part_calls->has_failed || crossings->count + part_calls->count > CROSSINGS_MAX ||
			     !array_reserve(&crossings->calls, &crossings->capacity, crossings->count + part_calls->count,
				     sizeof *crossings->calls);
	if (!crossings->failed && part_calls->count)
		memcpy(crossings->calls + crossings->count, part_calls->calls, part_calls->count * sizeof *part_calls->calls);
	if (!crossings->failed)
		crossings->count += part_calls->count;
	part_calls_empty(part_calls);
}

void crossings_renumber(struct crossings *crossings, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i < crossings->count; i++)
		if (crossings->calls[i].call.function < count)
			crossings->calls[i].call.function = map[crossings->calls[i].call.function];
}

void crossings_end(struct crossings *crossings)
{
	crossings_add_chunk(crossings, &(struct crossings_chunk){.previous = CROSSINGS_NO_CHUNK, .is_first = true});
}

static int compare(const struct call *a, const struct call *b)
{
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->enter_ticks != b->enter_ticks)
		return a->enter_ticks < b->enter_ticks ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

static int by_entry(const void *left, const void *right, void *context)
{
	const struct crossings *crossings = context;
	const struct ending *a = left, *b = right;
	int order = compare(&crossings->calls[a->position].call, &crossings->calls[b->position].call);

	return order ? order : a->position < b->position ? -1 : a->position > b->position;
}

bool crossings_finish(struct crossings *crossings)
{
	size_t behind = crossings->chunk_count;

	if (crossings->failed || !behind)
		return false;
	crossings->endings = malloc((crossings->count ? crossings->count : 1) * sizeof *crossings->endings);
	if (!crossings->endings)
		return false;
	for (size_t i = crossings->count; i--;) {
		while (crossings->chunks[behind - 1].first > i)
			behind--;
		crossings->endings[i] = (struct ending){(uint32_t)i, (uint32_t)(behind - 1)};
	}
	if (crossings->count)
		qsort_r(crossings->endings, crossings->count, sizeof *crossings->endings, by_entry, crossings);
	return true;
}

uint32_t crossings_chunk_count(const struct crossings *crossings)
{
	return (uint32_t)crossings->chunk_count - 1;
}

const struct crossings_chunk *crossings_get_chunk(const struct crossings *crossings, uint32_t chunk)
{
	return &crossings->chunks[chunk];
}

const struct part_call *crossings_get_ends(const struct crossings *crossings, uint32_t chunk, size_t *count)
{
	size_t first = crossings->chunks[chunk].first;

	*count = (chunk + 1 < crossings->chunk_count ? crossings->chunks[chunk + 1].first : crossings->count) - first;
	return *count ? crossings->calls + first : NULL;
}

/* One at a depth has ended when the next one begins there: of those that could be meant it is the first that ended behind the chunk. */
const struct part_call *crossings_find(const struct crossings *crossings, const struct call *open, uint32_t chunk)
{
	size_t low = 0, high = crossings->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ending *ending = &crossings->endings[middle];
		int order = compare(&crossings->calls[ending->position].call, open);

		if (order < 0 || (!order && ending->chunk <= chunk))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == crossings->count || compare(&crossings->calls[crossings->endings[low].position].call, open))
		return NULL;
	return &crossings->calls[crossings->endings[low].position];
}
