/* survey: finds and checks the chunks of an intact trace by its seek table. */
#include "reader/dwell/survey.h"

#include <stdlib.h>

#include "dwell/format.h"
#include "util/array.h"

static bool add_declaration(struct survey *survey, const struct survey_chunk *chunk)
{
	if (!array_reserve(&survey->declarations, &survey->capacity, survey->count + 1, sizeof *survey->declarations))
		return false;
	survey->declarations[survey->count++] = *chunk;
	return true;
}

/* Adds the chunk of the previous table entry, which ends where the present entry's chunk begins. False: no memory. */
static bool add_previous(struct survey *survey, uint64_t end, struct index *index, struct streams *streams)
{
	const struct raw_chunk chunk = {
		.offset = survey->last_offset, .kind = (uint16_t)survey->last_kind, .stream = survey->last_stream};
	uint32_t sequence = survey->others;
	struct stream *stream;

	survey->chunks++;
	survey->others += survey->last_kind != DWELL_CHUNK_SLOTS;
	if (survey->last_kind != DWELL_CHUNK_SLOTS && !index_is_aside(survey->last_kind))
		return survey->last_kind <= UINT16_MAX &&
		       add_declaration(survey, &(struct survey_chunk){survey->last_offset, end, sequence, survey->last_stream,
						       (uint16_t)survey->last_kind});
	stream = streams_find(streams, survey->last_stream);
	if (!stream)
		return false;
	if (index_is_aside(survey->last_kind)) {
		if (!index_add_aside(index, &chunk, stream))
			return false;
		index->asides[index->aside_count - 1].end = end;
		index->asides[index->aside_count - 1].sequence = sequence;
		return true;
	}
	if (!index_add(index, &chunk, stream))
		return false;
	index->entries[index->count - 1].end = end;
	index->entries[index->count - 1].sequence = stream->next_sequence++;
	index_close_asides(stream);
	stream->seen = true;
	return true;
}

static void note_told(const struct index *index, const struct stream_aside *aside, bool *told)
{
	for (uint32_t at = aside->first; at; at = index->asides[at - 1].next) {
		told[at - 1] = true;
		if (at == aside->last)
			return;
	}
}

/* Adds the SWITCHES and FAULTS chunks behind the last events of their stream: survey_next checks these chunks like declarations. */
static bool add_last_asides(struct survey *survey, const struct index *index)
{
	bool *told = calloc(index->aside_count ? index->aside_count : 1, sizeof *told);
	bool good = told;

	for (size_t i = 0; good && i < index->count; i++)
		for (int kind = 0; kind < STREAM_ASIDES; kind++)
			note_told(index, &index->entries[i].asides[kind], told);
	for (size_t i = 0; good && i < index->aside_count; i++) {
		const struct index_aside *aside = &index->asides[i];

		if (!told[i])
			good = add_declaration(survey, &(struct survey_chunk){aside->offset, aside->end, aside->sequence,
							       aside->stream, aside->kind});
	}
	free(told);
	return good;
}

static bool add_entries(struct survey *survey, const struct raw_chunk *chunk, struct index *index, struct streams *streams)
{
	for (size_t at = 0; at < chunk->payload.size; at += DWELL_SEEK_ENTRY_BYTES) {
		const uint8_t *entry = chunk->payload.data + at;
		uint64_t offset = get_u64(entry + DWELL_SEEK_OFFSET);

		if (survey->last_offset && (offset <= survey->last_offset || !add_previous(survey, offset, index, streams)))
			return false;
		survey->last_offset = offset;
		survey->last_kind = get_u32(entry + DWELL_SEEK_KIND);
		survey->last_stream = get_u32(entry + DWELL_SEEK_STREAM);
	}
	return true;
}

/* Returns whether the chunk is of this kind, has all of its payload, and has no unknown flags. */
static bool is_whole(const struct raw_chunk *chunk, uint16_t kind)
{
	bool is_packed = chunk->flags == DWELL_CHUNK_PACKED && declaration_can_be_packed(kind);

	return chunk->kind == kind && chunk->payload.size == chunk->length &&
	       (is_packed || (!chunk->flags && chunk->unpacked == chunk->length));
}

bool survey_begin(struct survey *survey, struct source *source, uint64_t begin, struct index *index, struct streams *streams)
{
	const uint64_t end_bytes = DWELL_CHUNK_HEADER_BYTES + DWELL_END_BYTES;
	uint64_t size = source_size(source), end = size - end_bytes, first;
	uint32_t sequence = 0, end_sequence;
	struct load *load = &survey->load;

	survey->source = source;
	if (size == UINT64_MAX || size < end_bytes || !load_chunk(load, source, end) || !is_whole(&load->chunk, DWELL_CHUNK_END) ||
		load->chunk.length != DWELL_END_BYTES)
		return false;
	survey->end = declaration_get_end(&load->chunk);
	end_sequence = load->chunk.sequence;
	first = survey->end.seek_offset;
	if (first <= begin || first >= end)
		return false;
	for (uint64_t at = first; at < end; at += DWELL_CHUNK_HEADER_BYTES + (uint64_t)load->chunk.length) {
		if (!load_chunk(load, source, at) || !is_whole(&load->chunk, DWELL_CHUNK_SEEK) ||
			load->chunk.length % DWELL_SEEK_ENTRY_BYTES)
			return false;
		if (at == first) {
			survey->seek_sequence = sequence = load->chunk.sequence;
			if (load->chunk.length && get_u64(load->chunk.payload.data + DWELL_SEEK_OFFSET) != begin)
				return false;
		}
		if (load->chunk.sequence != sequence++ || !add_entries(survey, &load->chunk, index, streams))
			return false;
		survey->chunks++;
	}
	if (!survey->last_offset || survey->last_offset >= first || !add_previous(survey, first, index, streams))
		return false;
	survey->chunks++;
	return sequence == end_sequence && survey->seek_sequence == survey->others &&
	       survey->end.chunks <= survey->others + index->count && add_last_asides(survey, index);
}

/* Loads the next declaration, and checks everything that reading in order would check. False: it is not as expected. */
static bool load_next(struct survey *survey)
{
	const struct survey_chunk *at = &survey->declarations[survey->next];
	const struct raw_chunk *chunk = &survey->load.chunk;

	return load_chunk(&survey->load, survey->source, at->offset) && is_whole(chunk, chunk->kind) &&
	       declaration_knows(chunk->kind) && chunk->kind != DWELL_CHUNK_SLOTS && chunk->kind != DWELL_CHUNK_SEEK &&
	       chunk->kind != DWELL_CHUNK_END && chunk->sequence == at->sequence &&
	       chunk->kind == at->kind && chunk->stream == at->stream &&
	       at->offset + DWELL_CHUNK_HEADER_BYTES + chunk->length == at->end && !declaration_begin(&survey->declaration, chunk);
}

/* Sets the kind of a stream's places. A THREAD holds only for the chunks behind it, so a survey accepts one kind per stream. */
static void note_thread(struct survey *survey, struct streams *streams, const struct message_thread *message)
{
	struct stream *stream = streams_find(streams, message->stream);

	if (!stream || (stream->declared && stream->place_kind != message->place_kind)) {
		survey->has_mismatch = true;
		return;
	}
	stream->place_kind = message->place_kind;
	stream->declared = true;
}

bool survey_next(struct survey *survey, struct streams *streams, struct message *message)
{
	for (;;) {
		if (survey->in_chunk && declaration_next(&survey->declaration, message)) {
			if (message->kind == MESSAGE_THREAD)
				note_thread(survey, streams, &message->thread);
			return true;
		}
		survey->in_chunk = false;
		if (survey->next == survey->count)
			return false;
		if (!load_next(survey)) {
			survey->has_mismatch = true;
			return false;
		}
		survey->next++;
		survey->in_chunk = survey->load.chunk.kind != DWELL_CHUNK_SWITCHES; /* SWITCHES only had to be checked */
	}
}

bool survey_finish(const struct survey *survey, struct streams *streams, struct index *index)
{
	for (size_t i = 0; i < index->count; i++) {
		const struct stream *stream = streams_find(streams, index->entries[i].chunk.stream);

		if (!stream || !stream->declared)
			return false;
		index->entries[i].place_kind = stream->place_kind;
	}
	return !survey->has_mismatch && survey->next == survey->count;
}

bool survey_fill_health(const struct survey *survey, const struct reader_counts *counts, struct reader_health *health)
{
	if (counts->odd || counts->events != survey->end.events)
		return false;
	health->chunks = survey->chunks;
	health->events = counts->events;
	health->holes = counts->holes;
	health->late_stamps = counts->late_stamps;
	health->unknown_tags = counts->unknown_tags;
	health->ended_well = true;
	return true;
}

void survey_clear(struct survey *survey)
{
	free(survey->declarations);
	load_clear(&survey->load);
	declaration_clear(&survey->declaration);
	*survey = (struct survey){0};
}
