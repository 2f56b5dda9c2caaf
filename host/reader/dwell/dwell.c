/* The reader of dwell's own trace files, as FORMAT.md specifies them.
 *
 * This file keeps the state between chunks: sequence numbers (for missing chunks), the index of
 * chunks, the health. slots.c and declaration.c decode single chunks, from nothing but the chunk. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/early_names.h"
#include "reader/dwell/faults.h"
#include "reader/dwell/feed.h"
#include "reader/dwell/header.h"
#include "reader/dwell/index.h"
#include "reader/dwell/overview.h"
#include "reader/dwell/slots.h"
#include "reader/dwell/streams.h"
#include "reader/dwell/survey.h"
#include "reader/format.h"

struct dwell_reader {
	struct reader_input *input;
	struct feed feed;
	struct message_header header;
	char format_name[32];
	bool header_written;
	bool in_slots, in_declaration; /* messages of the current chunk are being given */
	bool is_cut; /* the file ends inside of the current chunk of events … */
	struct raw_chunk cut; /* … which is this one */
	bool finished; /* the file has ended, and the health is complete */
	struct slots slots;
	struct declaration declaration;
	struct streams streams;
	struct early_names early_names;
	uint32_t next_sequence; /* expected; of chunks that belong to no stream */
	uint64_t missing; /* chunks missing according to the sequence numbers */
	struct declaration_end end; /* contents of the END chunk */
	uint64_t declarations; /* chunks read that END counts, except chunks of events */
	uint64_t ordinal; /* of the current chunk of events */
	struct index index;
	uint64_t first_chunk;         /* its offset */
	bool skips_events; /* this pass reads declarations only … */
	struct overview overview; /* … by the overview */
	bool surveys; /* this pass reads declarations only, and decoders read the events … */
	struct survey survey; /* … found by the survey */
	uint64_t damage_offset, damage_bytes; /* the region of damage that is being skipped */
	uint8_t damage_start[4];
};

#define WARN(reader, offset, ...)                                                                                                  \
	diag_add((reader)->input->diag, DIAG_WARN, source_name((reader)->input->source), offset, __VA_ARGS__)

/* Recognises a trace by its magic; one with damaged or missing first bytes by the chunk headers in it. */
static bool probe(struct bytes start, bool whole)
{
	(void)whole;
	return (start.size >= 8 && !memcmp(start.data, DWELL_FILE_MAGIC, 8)) || split_find_header(start, 0) < start.size;
}

/* Reads the file header. False and a diag: this reader cannot read the file. */
static bool open_header(struct dwell_reader *reader)
{
	struct diag *diag = reader->input->diag;
	struct source *source = reader->input->source;
	const char *file = source_name(source);
	uint8_t start[DWELL_HEADER_BYTES];
	size_t size = source_peek(source, start, sizeof start);
	struct header header = header_parse((struct bytes){start, size});

	if (!header_check(&header, size, file, diag))
		return false;
	if (header.problem)
		WARN(reader, 0, "%s: machine, clock rate and version are taken to be the usual ones", header.problem);
	if (!source_skip(source, header.bytes)) {
		diag_add(diag, DIAG_ERROR, file, DWELL_HEADER_LENGTH, "header of %u bytes exceeds file", header.bytes);
		return false;
	}
	feed_init(&reader->feed, source, header.bytes);
	reader->first_chunk = header.bytes;
	reader->header = header.message;
	snprintf(reader->format_name, sizeof reader->format_name, "dwell %u.%u", header.major, header.minor);
	reader->header.format = reader->format_name;
	reader->header.version = reader->format_name + strlen("dwell ");
	return true;
}

static void release(struct dwell_reader *reader)
{
	feed_clear(&reader->feed);
	slots_clear(&reader->slots);
	declaration_clear(&reader->declaration);
	streams_clear(&reader->streams);
	overview_clear(&reader->overview);
	survey_clear(&reader->survey);
	early_names_clear(&reader->early_names);
}

static void close_dwell(void *state)
{
	struct dwell_reader *reader = state;

	release(reader);
	index_clear(&reader->index);
}

static bool open_dwell(void *state, struct reader_input *input)
{
	struct dwell_reader *reader = state;

	reader->input = input;
	return open_header(reader);
}

/* Keeps the index, which is the same in every pass. An index made by a survey is incomplete, and emptied. */
static void rewind_dwell(void *state)
{
	struct dwell_reader *reader = state;

	if (reader->surveys)
		reader->index.count = reader->index.aside_count = 0;
	release(reader);
	*reader = (struct dwell_reader){.input = reader->input, .index = reader->index};
	open_header(reader);
}

static void add_damage(struct dwell_reader *reader, const struct split_item *item)
{
	const struct feed *feed = &reader->feed;

	if (!reader->damage_bytes) {
		reader->damage_offset = item->offset;
		memset(reader->damage_start, 0, sizeof reader->damage_start);
		memcpy(reader->damage_start, feed->buffer + feed->begin, item->bytes < 4 ? item->bytes : 4);
	}
	reader->damage_bytes += item->bytes;
	reader->input->health->bytes_skipped += item->bytes;
}

/* Reports the region of damage that has just ended. */
static void report_damage(struct dwell_reader *reader)
{
	const uint8_t *found = reader->damage_start;

	if (reader->damage_bytes)
		WARN(reader, reader->damage_offset,
			"%" PRIu64 " bytes are no chunk (found %02x %02x %02x %02x, expected 57 44 43 6b and a header with a right "
				   "CRC): skipped", reader->damage_bytes, found[0], found[1], found[2], found[3]);
	reader->damage_bytes = 0;
}

/* Compares the chunk's sequence number with *next, the expected one, and sets *next to its successor. Sets *lost if
 * chunks before this one are missing. False: a repeated or earlier chunk, which the caller skips. */
static bool check_sequence(struct dwell_reader *reader, const struct split_item *item, uint32_t *next, bool *has_gap)
{
	uint32_t sequence = item->chunk.sequence;
	char name[64];

	if (sequence < *next) {
		reader->input->health->chunks_damaged++;
		reader->input->health->bytes_skipped += item->bytes;
		WARN(reader, item->offset, "%s has sequence number %u, expected %u: skipped", fault_title(reader->input, &item->chunk, name),
			sequence, *next);
		return false;
	}
	if (sequence > *next) {
		reader->missing += sequence - *next;
		*has_gap = true;
		WARN(reader, item->offset, "%s: %u chunk%s missing", fault_title(reader->input, &item->chunk, name),
			sequence - *next, sequence - *next == 1 ? " before it is" : "s before it are");
	}
	*next = sequence + 1;
	return true;
}

/* Adds a chunk of events to the index, unless an earlier pass did. */
static void add_index(struct dwell_reader *reader, const struct raw_chunk *chunk, const struct stream *stream)
{
	struct source *source = reader->input->source;

	if (!source_is_seekable(source) || reader->ordinal < reader->index.count || index_add(&reader->index, chunk, stream))
		return;
	diag_add(reader->input->diag, DIAG_ERROR, source_name(source), chunk->offset, "cannot be indexed: out of memory");
}

static void begin_slots(struct dwell_reader *reader, const struct split_item *item, bool intact)
{
	struct stream *stream = streams_find(&reader->streams, item->chunk.stream);
	const char *problem;

	if (!stream) {
		fault_skip(reader->input, item, "cannot be decoded: out of memory");
		return;
	}
	if (!check_sequence(reader, item, &stream->next_sequence, &stream->has_gap))
		return;
	if (!intact || !fault_check_known(reader->input, item)) {
		if (!intact)
			fault_report_bad_payload(reader->input, item);
		stream->has_gap = true;
		return;
	}
	reader->is_cut = item->chunk.payload.size < item->chunk.length;
	problem = slots_begin(&reader->slots, &item->chunk, stream->place_kind);
	if (problem) {
		fault_skip(reader->input, item, problem);
		stream->has_gap = true;
		return;
	}
	reader->cut = item->chunk;
	add_index(reader, &item->chunk, stream);
	index_close_asides(stream);
	reader->in_slots = true;
}

/* Adds a SWITCHES or FAULTS chunk to the index: a later pass over part of the events needs its entries, too. */
static void add_aside(struct dwell_reader *reader, const struct raw_chunk *chunk)
{
	struct source *source = reader->input->source;
	struct stream *stream = streams_find(&reader->streams, chunk->stream);

	if (!source_is_seekable(source) || reader->ordinal < reader->index.count ||
		(stream && index_add_aside(&reader->index, chunk, stream)))
		return;
	diag_add(reader->input->diag, DIAG_ERROR, source_name(source), chunk->offset, "cannot be indexed: out of memory");
}

static void begin_declaration(struct dwell_reader *reader, const struct split_item *item, bool intact)
{
	struct reader_health *health = reader->input->health;
	const struct raw_chunk *chunk = &item->chunk;
	bool has_gap = false;
	const char *problem;

	if (!check_sequence(reader, item, &reader->next_sequence, &has_gap))
		return;
	if (!intact) {
		fault_report_bad_payload(reader->input, item);
		return;
	}
	if (!fault_check_known(reader->input, item))
		return;
	problem = declaration_begin(&reader->declaration, chunk);
	if (problem) {
		fault_skip(reader->input, item, problem);
		return;
	}
	if (index_is_aside(chunk->kind))
		add_aside(reader, chunk);
	if (chunk->kind == DWELL_CHUNK_END) {
		health->ended_well = true;
		reader->end = declaration_get_end(chunk);
	} else if (chunk->kind != DWELL_CHUNK_SEEK) {
		reader->declarations++;
	}
	reader->in_declaration = true;
}

static void begin_chunk(struct dwell_reader *reader, const struct split_item *item, bool intact)
{
	reader->input->health->chunks++;
	if (item->chunk.kind == DWELL_CHUNK_SLOTS)
		begin_slots(reader, item, intact);
	else
		begin_declaration(reader, item, intact);
}

/* The file ends inside of a chunk. Slots decode one by one, and packed slots part by part, so
 * the slots before the cut are usable; a killed recorder leaves exactly this. No CRC covers
 * these slots: a diag reports the cut. Chunks of other kinds have no meaning in part. */
static void begin_cut(struct dwell_reader *reader, const struct split_item *item)
{
	struct reader_health *health = reader->input->health;
	char name[64];

	health->cut = true;
	if (item->chunk.kind == DWELL_CHUNK_SLOTS) {
		begin_chunk(reader, item, true);
		return;
	}
	if (item->chunk.kind)
		health->chunks++;
	health->bytes_skipped += item->bytes;
	WARN(reader, item->offset, "the file ends inside of %s, after %" PRIu64 " bytes of it",
		item->chunk.kind ? fault_title(reader->input, &item->chunk, name) : "the header of a chunk", item->bytes);
}

/* Compares the totals in END with what was read, at the end of the file. */
static void finish(struct dwell_reader *reader)
{
	struct reader_health *health = reader->input->health;
	uint64_t bad = health->chunks_damaged + health->chunks_starved + health->chunks_unknown;
	uint64_t listed = reader->end.chunks, seen = reader->declarations + reader->ordinal + bad;

	report_damage(reader);
	health->bytes_total = reader->feed.split.offset;
	health->chunks_missing = reader->missing;
	reader->finished = true;
	if (reader->feed.no_memory)
		diag_add(reader->input->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: the file is read in part");
	if (!health->ended_well) {
		if (!health->cut)
			WARN(reader, health->bytes_total, "the file ends without an END chunk: the recording was cut off");
		return;
	}
	if (listed > seen && listed - seen > health->chunks_missing) {
		WARN(reader, health->bytes_total, "%" PRIu64 " chunks were found, %" PRIu64 " were expected", seen, listed);
		health->chunks_missing = listed - seen;
	}
	if (!bad && !health->chunks_missing && health->events != reader->end.events)
		WARN(reader, health->bytes_total, "%" PRIu64 " events were found, %" PRIu64 " were expected", health->events,
			reader->end.events);
}

/* Takes the next item of the file. False: the file has ended. */
static bool next_item(struct dwell_reader *reader)
{
	struct split_item item;
	enum split_status status = feed_next(&reader->feed, &item);

	if (status != SPLIT_DAMAGE)
		report_damage(reader);
	switch (status) {
	case SPLIT_CHUNK:
	case SPLIT_BAD_PAYLOAD:
		begin_chunk(reader, &item, status == SPLIT_CHUNK);
		return true;
	case SPLIT_CUT:
		begin_cut(reader, &item);
		return true;
	case SPLIT_DAMAGE:
		add_damage(reader, &item);
		return true;
	default:
		finish(reader);
		return false;
	}
}

/* Writes the next message of the chunk of events. False: no more. */
static bool next_of_slots(struct dwell_reader *reader, struct message *message)
{
	struct reader_health *health = reader->input->health;
	struct stream *stream;

	if (slots_next(&reader->slots, message)) {
		if (message->kind == MESSAGE_EVENTS) {
			message->events.chunk = reader->ordinal;
			return true;
		}
		stream = streams_find(&reader->streams, message->checkpoint.stream);
		message->checkpoint.first = !stream->seen;
		message->checkpoint.after_loss = stream->has_gap;
		stream->seen = true;
		stream->has_gap = false;
		return true;
	}
	health->events += reader->slots.events;
	health->holes += reader->slots.holes;
	health->late_stamps += reader->slots.late_stamps;
	health->unknown_tags += reader->slots.unknown_tags;
	if (reader->is_cut)
		fault_report_cut(reader->input, &reader->cut, reader->slots.events);
	reader->ordinal++;
	reader->in_slots = false;
	return false;
}

static void note_thread(struct dwell_reader *reader, const struct message_thread *thread)
{
	struct stream *stream = streams_find(&reader->streams, thread->stream);

	if (stream)
		stream->place_kind = thread->place_kind;
}

static bool next_of_declaration(struct dwell_reader *reader, struct message *message)
{
	if (!declaration_next(&reader->declaration, message)) {
		reader->in_declaration = false;
		return false;
	}
	if (message->kind == MESSAGE_THREAD)
		note_thread(reader, &message->thread);
	return true;
}

static void next_message(struct dwell_reader *reader, struct message *message)
{
	if (!reader->header_written) {
		reader->header_written = true;
		*message = (struct message){.kind = MESSAGE_HEADER, .header = reader->header};
		return;
	}
	if (early_names_next(&reader->early_names, reader->input->source, message))
		return;
	if (reader->surveys) {
		if (!survey_next(&reader->survey, &reader->streams, message))
			*message = (struct message){.kind = MESSAGE_END, .offset = source_size(reader->input->source)};
		return;
	}
	if (reader->skips_events) {
		if (!overview_next(&reader->overview, message))
			*message = (struct message){.kind = MESSAGE_END, .offset = source_size(reader->input->source)};
		else if (message->kind == MESSAGE_THREAD)
			note_thread(reader, &message->thread);
		return;
	}
	for (;;) {
		if (reader->in_slots && next_of_slots(reader, message))
			return;
		if (reader->in_declaration && next_of_declaration(reader, message))
			return;
		if (reader->finished || (!reader->in_slots && !reader->in_declaration && !next_item(reader)))
			break;
	}
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->feed.split.offset};
}

static void next_dwell(void *state, struct message *message)
{
	struct dwell_reader *reader = state;

	do
		next_message(reader, message);
	while (early_names_is_repeat(&reader->early_names, message));
}

static bool skip_events(void *state)
{
	struct dwell_reader *reader = state;

	reader->skips_events = overview_begin(&reader->overview, reader->input->source, reader->first_chunk);
	return reader->skips_events;
}

/* As reader_survey. Empties the index first, since a survey fills in other members of its entries than a full pass. */
static bool survey(void *state)
{
	struct dwell_reader *reader = state;
	struct source *source = reader->input->source;

	reader->index.count = reader->index.aside_count = 0;
	reader->surveys = survey_begin(&reader->survey, source, reader->first_chunk, &reader->index, &reader->streams);
	if (!reader->surveys)
		reader->index.count = reader->index.aside_count = 0;
	return reader->surveys;
}

static bool begin_decoding(void *state)
{
	struct dwell_reader *reader = state;

	return survey_finish(&reader->survey, &reader->streams, &reader->index);
}

static bool end_decoding(void *state, const struct reader_counts *counts)
{
	struct dwell_reader *reader = state;

	return survey_fill_health(&reader->survey, counts, reader->input->health);
}

static bool has_switches(const void *state, reader_is_wanted *is_wanted, const void *context)
{
	const struct dwell_reader *reader = state;

	return overview_has_switches(&reader->overview, is_wanted, context) ||
	       index_has_switches(&reader->index, is_wanted, context);
}

static uint64_t chunk_count(const void *state)
{
	return ((const struct dwell_reader *)state)->index.count;
}

static struct reader_chunk get_chunk(const void *state, uint64_t chunk)
{
	return ((const struct dwell_reader *)state)->index.entries[chunk].chunk;
}

static void *make_decoder(const void *state)
{
	const struct dwell_reader *reader = state;
	return make_index_decoder(reader->input->source, &reader->index);
}

const struct reader_format reader_dwell = {
	.name = "dwell trace",
	.expected = "a dwell trace (89 64 77 65 6c 6c 0d 0a)",
	.probe = probe,
	.state_bytes = sizeof(struct dwell_reader),
	.open = open_dwell,
	.close = close_dwell,
	.next = next_dwell,
	.rewind = rewind_dwell,
	.skip_events = skip_events,
	.has_switches = has_switches,
	.chunk_count = chunk_count,
	.get_chunk = get_chunk,
	.make_decoder = make_decoder,
	.free_decoder = free_index_decoder,
	.decoder_load = index_decoder_load,
	.decoder_want_packed = index_decoder_want_packed,
	.decoder_next = index_decoder_next,
	.decoder_get_counts = index_decoder_get_counts,
	.survey = survey,
	.begin_decoding = begin_decoding,
	.end_decoding = end_decoding,
};
