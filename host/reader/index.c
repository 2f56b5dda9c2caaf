/* index: see index.h. */
#include <stdlib.h>

#include "dwell/format.h"
#include "reader/declaration.h"
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
	uint32_t switches; /* the next SWITCHES chunk to be given in front of it, counted from 1; 0: none */
	struct declaration declaration;
	struct load switches_load;
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
		.switches = stream->first_switches,
	};
	return true;
}

bool index_add_switches(struct index *index, const struct frame_chunk *chunk, struct stream *stream)
{
	if (index->switches_count >= UINT32_MAX ||
		!array_reserve(&index->switches, &index->switches_capacity, index->switches_count + 1, sizeof *index->switches))
		return false;
	index->switches[index->switches_count++] = (struct index_switches){.offset = chunk->offset};
	if (stream->last_switches)
		index->switches[stream->last_switches - 1].next = (uint32_t)index->switches_count;
	else
		stream->first_switches = (uint32_t)index->switches_count;
	stream->last_switches = (uint32_t)index->switches_count;
	return true;
}

void index_clear(struct index *index)
{
	free(index->entries);
	free(index->switches);
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
	load_clear(&decoder->switches_load);
	declaration_clear(&decoder->declaration);
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
	decoder->switches = entry->switches;
	return true;
}

/* What is not there any more, or damaged, was said in the first pass. */
static bool next_switches(struct index_decoder *decoder, struct message *message)
{
	const struct load *load = &decoder->switches_load;

	while (decoder->switches) {
		const struct index_switches *switches = &decoder->index->switches[decoder->switches - 1];

		decoder->switches = switches->next;
		if (load_chunk(&decoder->switches_load, decoder->source, switches->offset) &&
			load->chunk.kind == DWELL_CHUNK_SWITCHES && load->chunk.payload.size == load->chunk.length &&
			!declaration_begin(&decoder->declaration, &load->chunk) && declaration_next(&decoder->declaration, message))
			return true;
	}
	return false;
}

void index_decoder_next(struct index_decoder *decoder, struct message *message)
{
	const struct index_entry *entry = decoder->entry;

	if (entry && next_switches(decoder, message))
		return;
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
