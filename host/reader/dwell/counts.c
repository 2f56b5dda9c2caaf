/* counts: decodes COUNTS chunks, field by field as in FORMAT.md. */
#include "reader/dwell/counts.h"

#include <stdlib.h>

#include "dwell/format.h"
#include "util/array.h"

static const char *take_entries(struct counts *counts, const uint8_t *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, p += DWELL_COUNT_BYTES) {
		struct message_count *one = &counts->list[i];

		*one = (struct message_count){get_u64(p + DWELL_COUNT_ADDRESS), get_u64(p + DWELL_COUNT_COUNT)};
		if (one->count > DWELL_COUNT_MAX)
			return "has a count of more than 2^40";
		if (i && one->address <= counts->list[i - 1].address)
			return "has counts that are not in order of addresses";
	}
	return NULL;
}

const char *counts_take(struct counts *counts, const struct raw_chunk *chunk)
{
	struct bytes payload = chunk->payload;
	const uint8_t *p;
	size_t count;

	if (chunk->flags & DWELL_CHUNK_PACKED) {
		const char *problem = plain_unpack(&counts->unpacker, chunk->payload, chunk->unpacked, &payload);

		if (problem)
			return problem;
	}
	if (payload.size < DWELL_COUNTS_ENTRIES)
		return "is shorter than its fixed part";
	if ((payload.size - DWELL_COUNTS_ENTRIES) % DWELL_COUNT_BYTES)
		return "is no whole number of counts";
	count = (payload.size - DWELL_COUNTS_ENTRIES) / DWELL_COUNT_BYTES;
	p = payload.data;
	counts->message = (struct message_counts){
		.stream = chunk->stream,
		.bytes = get_u32(p + DWELL_COUNTS_BYTES),
		.weight = get_u64(p + DWELL_COUNTS_WEIGHT),
		.from_ticks = chunk->first_ticks,
		.until_ticks = chunk->last_ticks,
		.outside = get_u64(p + DWELL_COUNTS_OUTSIDE),
		.beyond = get_u64(p + DWELL_COUNTS_BEYOND),
		.full = get_u32(p + DWELL_COUNTS_FULL),
		.count = (uint32_t)count,
	};
	if (!counts->message.bytes || counts->message.bytes > DWELL_COUNTS_BYTES_MAX)
		return "has counts of pieces of an impossible size";
	if (counts->message.weight > DWELL_SAMPLE_WEIGHT_MAX)
		return "has counts that weigh more than 2^40";
	if (counts->message.outside > DWELL_COUNT_MAX || counts->message.beyond > DWELL_COUNT_MAX)
		return "has a count of more than 2^40";
	if (!array_reserve(&counts->list, &counts->capacity, count + 1, sizeof *counts->list))
		return "cannot be decoded: out of memory";
	counts->message.counts = counts->list;
	return take_entries(counts, p + DWELL_COUNTS_ENTRIES, (uint32_t)count);
}

void counts_clear(struct counts *counts)
{
	free(counts->list);
	plain_unpacker_clear(&counts->unpacker);
	*counts = (struct counts){0};
}
