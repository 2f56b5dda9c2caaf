/* index: see index.h. */
#include <stdlib.h>

#include "dwell/format.h"
#include "reader/index.h"
#include "reader/load.h"
#include "reader/slots.h"
#include "util/array.h"

struct index_decoder {
	struct source *source;
	const struct index *index;
	const struct index_entry *entry; /* of the chunk that is loaded */
	struct slots slots;
	struct load load;
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
	load_clear(&decoder->load);
	free(decoder);
}

/* The chunk is taken as it is in the file now: it may have changed since the first pass. */
bool index_decoder_load(struct index_decoder *decoder, uint64_t ordinal)
{
	const struct index_entry *entry;

	decoder->entry = NULL;
	if (ordinal >= decoder->index->count)
		return false;
	entry = &decoder->index->entries[ordinal];
	if (!load_chunk(&decoder->load, decoder->source, entry->chunk.offset) || decoder->load.chunk.kind != DWELL_CHUNK_SLOTS ||
		slots_begin(&decoder->slots, &decoder->load.chunk, entry->place_kind))
		return false;
	decoder->entry = entry;
	return true;
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
