/* index: see index.h. */
#include <stdlib.h>
#include <zlib.h>

#include "dwell/format.h"
#include "reader/index.h"
#include "reader/slots.h"
#include "util/array.h"

struct index_decoder {
	struct source *source;
	const struct index *index;
	const struct index_entry *entry; /* of the chunk that is loaded */
	struct slots slots;
	uint8_t *payload;
	size_t payload_capacity;
};

bool index_add(struct index *index, const struct frame_chunk *chunk, const struct stream *stream)
{
	if (!array_reserve(&index->entries, &index->capacity, index->count + 1, sizeof *index->entries))
		return false;
	index->entries[index->count++] = (struct index_entry){
		.chunk = {chunk->offset, chunk->first_ticks, chunk->last_ticks, chunk->stream, chunk->events},
		.place_kind = stream->place_kind,
		.first = !stream->seen,
		.after_loss = stream->lost,
	};
	return true;
}

void index_clear(struct index *index)
{
	free(index->entries);
	*index = (struct index){0};
}

struct index_decoder *make_index_decoder(struct source *source, const struct index *index)
{
	struct index_decoder *decoder = calloc(1, sizeof *decoder);

	if (decoder) {
		decoder->source = source;
		decoder->index = index;
	}
	return decoder;
}

void free_index_decoder(struct index_decoder *decoder)
{
	slots_clear(&decoder->slots);
	free(decoder->payload);
	free(decoder);
}

/* The chunk as it is in the file now: it may have changed since the first pass. */
static bool load(struct index_decoder *decoder, uint64_t offset, struct frame_chunk *chunk)
{
	uint8_t header[DWELL_CHUNK_HEADER_BYTES];

	if (source_read_at(decoder->source, offset, header, sizeof header) < sizeof header ||
		!frame_parse_header((struct bytes){header, sizeof header}, chunk) || chunk->kind != DWELL_CHUNK_SLOTS)
		return false;
	if (!array_reserve(&decoder->payload, &decoder->payload_capacity, (size_t)chunk->length + 1, 1))
		return false;
	chunk->offset = offset;
	chunk->payload.data = decoder->payload;
	chunk->payload.size = source_read_at(decoder->source, offset + sizeof header, decoder->payload, chunk->length);
	return chunk->payload.size < chunk->length || crc32(0, decoder->payload, (uInt)chunk->length) == chunk->payload_crc;
}

bool index_decoder_load(struct index_decoder *decoder, uint64_t ordinal)
{
	struct frame_chunk chunk;

	if (ordinal >= decoder->index->count)
		return false;
	decoder->entry = &decoder->index->entries[ordinal];
	if (load(decoder, decoder->entry->chunk.offset, &chunk) &&
		!slots_begin(&decoder->slots, &chunk, decoder->entry->place_kind))
		return true;
	decoder->entry = NULL;
	return false;
}

void index_decoder_next(struct index_decoder *decoder, struct message *message)
{
	const struct index_entry *entry = decoder->entry;

	if (!entry || !slots_next(&decoder->slots, message)) {
		*message = (struct message){.kind = MESSAGE_END};
		return;
	}
	if (message->kind == MESSAGE_EVENTS) {
		message->events.chunk = (uint64_t)(entry - decoder->index->entries);
		return;
	}
	message->checkpoint.first = entry->first;
	message->checkpoint.after_loss = entry->after_loss;
}
