/* index: records where chunks are, and decodes any chunk by number. */
#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/index.h"
#include "reader/dwell/load.h"
#include "reader/dwell/slots.h"
#include "util/array.h"

struct index_decoder {
	struct source *source;
	const struct index *index;
	const struct index_entry *entry; /* of the loaded chunk */
	struct slots slots;
	struct load load;
	uint32_t asides[STREAM_ASIDES]; /* the next chunk of each kind to give before the events, counted from 1; 0: none */
	struct declaration declaration; /* decodes such a chunk … */
	struct load aside_load;         /* … that this holds */
	struct reader_counts counts;
};

bool index_add(struct index *index, const struct raw_chunk *chunk, const struct stream *stream)
{
	if (!array_reserve(&index->entries, &index->capacity, index->count + 1, sizeof *index->entries))
		return false;
	index->entries[index->count] = (struct index_entry){
		.chunk = {chunk->offset, chunk->first_ticks, chunk->last_ticks, chunk->stream, chunk->events},
		.place_kind = stream->place_kind,
		.first = !stream->seen,
		.after_loss = stream->has_gap,
	};
	memcpy(index->entries[index->count++].asides, stream->asides, sizeof stream->asides);
	return true;
}

bool index_add_aside(struct index *index, const struct raw_chunk *chunk, struct stream *stream)
{
	struct stream_aside *aside = &stream->asides[chunk->kind == DWELL_CHUNK_SWITCHES ? STREAM_SWITCHES : STREAM_FAULTS];

	if (index->aside_count >= UINT32_MAX ||
		!array_reserve(&index->asides, &index->aside_capacity, index->aside_count + 1, sizeof *index->asides))
		return false;
	index->asides[index->aside_count++] =
		(struct index_aside){.offset = chunk->offset, .kind = chunk->kind, .stream = chunk->stream};
	if (aside->last)
		index->asides[aside->last - 1].next = (uint32_t)index->aside_count;
	if (!aside->is_open) /* an interval or a fault of the chunk before may lie in these events */
		aside->first = aside->last ? aside->last : (uint32_t)index->aside_count;
	aside->last = (uint32_t)index->aside_count;
	aside->is_open = true;
	return true;
}

void index_close_asides(struct stream *stream)
{
	for (int kind = 0; kind < STREAM_ASIDES; kind++)
		stream->asides[kind].is_open = false;
}

bool index_has_switches(const struct index *index, reader_is_wanted *is_wanted, const void *context)
{
	bool any = false;

	for (size_t i = 0; !any && i < index->aside_count; i++)
		any = index->asides[i].kind == DWELL_CHUNK_SWITCHES && is_wanted(context, index->asides[i].stream);
	return any;
}

void index_clear(struct index *index)
{
	free(index->entries);
	free(index->asides);
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

void free_index_decoder(void *state)
{
	struct index_decoder *decoder = state;

	slots_clear(&decoder->slots);
	load_clear(&decoder->load);
	load_clear(&decoder->aside_load);
	declaration_clear(&decoder->declaration);
	free(decoder);
}

/* Checks what reading in order checks of each chunk, and a survey leaves to the decoder. */
static bool is_expected(const struct index_entry *entry, const struct raw_chunk *chunk)
{
	return chunk->offset + DWELL_CHUNK_HEADER_BYTES + chunk->length == entry->end && chunk->sequence == entry->sequence &&
	       chunk->stream == entry->chunk.stream && chunk->payload.size == chunk->length &&
	       !(chunk->flags & ~(unsigned)(DWELL_CHUNK_FRAMES_MISSING | DWELL_CHUNK_PACKED | DWELL_CHUNK_PARTS)) &&
	       (chunk->unpacked == chunk->length || chunk->flags & DWELL_CHUNK_PACKED);
}

static bool is_expected_aside(const struct index_aside *aside, const struct raw_chunk *chunk)
{
	return chunk->offset + DWELL_CHUNK_HEADER_BYTES + chunk->length == aside->end && chunk->sequence == aside->sequence &&
	       chunk->stream == aside->stream && !chunk->flags && chunk->unpacked == chunk->length;
}

/* Reads the chunk from the file again, as the file may have changed since the first pass. */
bool index_decoder_load(void *state, uint64_t ordinal)
{
	struct index_decoder *decoder = state;
	const struct index_entry *entry;

	decoder->entry = NULL;
	if (ordinal >= decoder->index->count)
		return false;
	entry = &decoder->index->entries[ordinal];
	if (!load_chunk(&decoder->load, decoder->source, entry->chunk.offset) || decoder->load.chunk.kind != DWELL_CHUNK_SLOTS ||
		slots_begin(&decoder->slots, &decoder->load.chunk, entry->place_kind))
		return false;
	if (entry->end && !is_expected(entry, &decoder->load.chunk))
		return false;
	decoder->entry = entry;
	for (int kind = 0; kind < STREAM_ASIDES; kind++)
		decoder->asides[kind] = entry->asides[kind].first;
	return true;
}

void index_decoder_want_packed(void *state)
{
	((struct index_decoder *)state)->slots.wants_packed = true;
}

/* Skips missing or damaged chunks, which the first pass reported. */
static bool next_aside(struct index_decoder *decoder, enum stream_aside_kind kind, struct message *message)
{
	const struct load *load = &decoder->aside_load;
	uint32_t *at = &decoder->asides[kind];

	while (*at) {
		const struct index_aside *aside = &decoder->index->asides[*at - 1];

		*at = *at == decoder->entry->asides[kind].last ? 0 : aside->next;
		if (load_chunk(&decoder->aside_load, decoder->source, aside->offset) && load->chunk.kind == aside->kind &&
			load->chunk.payload.size == load->chunk.length && !declaration_begin(&decoder->declaration, &load->chunk) &&
			declaration_next(&decoder->declaration, message)) {
			decoder->counts.odd |= aside->end && !is_expected_aside(aside, &load->chunk);
			return true;
		}
		decoder->counts.odd = true;
	}
	return false;
}

static void add_counts(struct index_decoder *decoder)
{
	decoder->counts.events += decoder->slots.events;
	decoder->counts.holes += decoder->slots.holes;
	decoder->counts.late_stamps += decoder->slots.late_stamps;
	decoder->counts.unknown_tags += decoder->slots.unknown_tags;
}

struct reader_counts index_decoder_get_counts(const void *state)
{
	return ((const struct index_decoder *)state)->counts;
}

void index_decoder_next(void *state, struct message *message)
{
	struct index_decoder *decoder = state;
	const struct index_entry *entry = decoder->entry;

	if (entry && (next_aside(decoder, STREAM_SWITCHES, message) || next_aside(decoder, STREAM_FAULTS, message)))
		return;
	if (!entry || !slots_next(&decoder->slots, message)) {
		if (entry)
			add_counts(decoder);
		decoder->counts.odd |= entry && slots_problem(&decoder->slots);
		decoder->entry = NULL;
		*message = (struct message){.kind = MESSAGE_END};
		return;
	}
	if (message->kind == MESSAGE_EVENTS) {
		message->events.chunk = (uint64_t)(entry - decoder->index->entries);
		return;
	}
	if (message->kind != MESSAGE_CHECKPOINT)
		return;
	message->checkpoint.first = entry->first;
	message->checkpoint.after_loss = entry->after_loss;
}
