/* index: records where chunks are, and decodes any chunk by number. */
#include <stdlib.h>

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
	uint32_t switches; /* the next SWITCHES chunk to give before the events, counted from 1; 0: none */
	struct declaration declaration; /* decodes the SWITCHES chunk … */
	struct load switches_load;      /* … that this holds */
	struct reader_counts counts;
};

bool index_add(struct index *index, const struct raw_chunk *chunk, const struct stream *stream)
{
	if (!array_reserve(&index->entries, &index->capacity, index->count + 1, sizeof *index->entries))
		return false;
	index->entries[index->count++] = (struct index_entry){
		.chunk = {chunk->offset, chunk->first_ticks, chunk->last_ticks, chunk->stream, chunk->events},
		.place_kind = stream->place_kind,
		.first = !stream->seen,
		.after_loss = stream->has_gap,
		.switches = stream->first_switches,
		.last_switches = stream->last_switches,
	};
	return true;
}

bool index_add_switches(struct index *index, const struct raw_chunk *chunk, struct stream *stream)
{
	if (index->switches_count >= UINT32_MAX ||
		!array_reserve(&index->switches, &index->switches_capacity, index->switches_count + 1, sizeof *index->switches))
		return false;
	index->switches[index->switches_count++] = (struct index_switches){.offset = chunk->offset, .stream = chunk->stream};
	if (stream->last_switches)
		index->switches[stream->last_switches - 1].next = (uint32_t)index->switches_count;
	if (!stream->in_switches) /* an interval of the SWITCHES chunk before may reach into these events */
		stream->first_switches = stream->last_switches ? stream->last_switches : (uint32_t)index->switches_count;
	stream->last_switches = (uint32_t)index->switches_count;
	stream->in_switches = true;
	return true;
}

bool index_has_switches(const struct index *index, reader_is_wanted *is_wanted, const void *context)
{
	bool any = false;

	for (size_t i = 0; !any && i < index->switches_count; i++)
		any = is_wanted(context, index->switches[i].stream);
	return any;
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

void free_index_decoder(void *state)
{
	struct index_decoder *decoder = state;

	slots_clear(&decoder->slots);
	load_clear(&decoder->load);
	load_clear(&decoder->switches_load);
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

static bool is_expected_switches(const struct index_switches *switches, const struct raw_chunk *chunk)
{
	return chunk->offset + DWELL_CHUNK_HEADER_BYTES + chunk->length == switches->end && chunk->sequence == switches->sequence &&
	       chunk->stream == switches->stream && !chunk->flags && chunk->unpacked == chunk->length;
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
	decoder->switches = entry->switches;
	return true;
}

void index_decoder_want_packed(void *state)
{
	((struct index_decoder *)state)->slots.wants_packed = true;
}

/* Skips missing or damaged SWITCHES chunks, which the first pass reported. */
static bool next_switches(struct index_decoder *decoder, struct message *message)
{
	const struct load *load = &decoder->switches_load;

	while (decoder->switches) {
		const struct index_switches *switches = &decoder->index->switches[decoder->switches - 1];

		decoder->switches = decoder->switches == decoder->entry->last_switches ? 0 : switches->next;
		if (load_chunk(&decoder->switches_load, decoder->source, switches->offset) &&
			load->chunk.kind == DWELL_CHUNK_SWITCHES && load->chunk.payload.size == load->chunk.length &&
			!declaration_begin(&decoder->declaration, &load->chunk) &&
			declaration_next(&decoder->declaration, message)) {
			decoder->counts.odd |= switches->end && !is_expected_switches(switches, &load->chunk);
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

	if (entry && next_switches(decoder, message))
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
