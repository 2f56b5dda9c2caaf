/* The reader of session files. A session file is a ring or linear recording before it becomes
 * a trace file; a killed `dwell record` leaves it behind. FORMAT.md, "The session file".
 *
 * The journal holds payloads of chunks, and a ring holds the slots of one chunk, in the format of trace files, so
 * the same code decodes both. Each ring is one chunk of events, whose stream is the number of the ring's slot. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/session_layout.h"
#include "reader/dwell/session_ring.h"
#include "reader/dwell/slots.h"
#include "reader/format.h"
#include "util/array.h"

/* What the messages are about, in this order. */
enum step { STEP_HEADER, STEP_JOURNAL, STEP_LOSSES, STEP_THREADS, STEP_RINGS, STEP_END };

struct session_reader {
	struct reader_input *input;
	struct session_layout layout;
	enum step step;
	bool skips_events;
	uint64_t at;         /* offset in the journal */
	uint32_t next;       /* in the steps of losses, threads and rings: index of the next loss or slot */
	struct session_slot slot; /* the current message's name points into it */
	uint32_t given_up;   /* threads in the journal so far; their streams are numbered from slot_count on */
	bool in_entry, in_ring; /* the current journal entry, or ring, may have more messages */
	uint8_t *payload; /* of the journal's entry */
	size_t payload_capacity;
	struct declaration declaration;
	struct session_ring ring;
	struct slots slots;
	struct reader_chunk *chunks; /* of the first pass; entry i is the ring of slot chunks[i].stream */
	size_t chunk_count, chunk_capacity;
	uint64_t ordinal; /* of the current ring, in chunks */
};

#define WARN(reader, offset, ...)                                                                                                  \
	diag_add((reader)->input->diag, DIAG_WARN, source_name((reader)->input->source), offset, __VA_ARGS__)

static bool probe(struct bytes start, bool whole)
{
	(void)whole;
	return start.size >= 8 && !memcmp(start.data, DWELL_SESSION_MAGIC, 8);
}

static bool open_session(struct session_reader *reader)
{
	struct diag *diag = reader->input->diag;
	struct source *source = reader->input->source;
	const char *file = source_name(source), *problem;
	uint8_t start[DWELL_SESSION_HEADER_BYTES_MIN];
	struct bytes bytes = {start, source_peek(source, start, sizeof start)};

	problem = session_layout_parse(bytes, &reader->layout);
	if (!problem && reader->layout.version != DWELL_SESSION_VERSION) {
		diag_add(diag, DIAG_ERROR, file, DWELL_SESSION_AT_VERSION, "is a dwell session of version %u; version %u was expected",
			reader->layout.version, DWELL_SESSION_VERSION);
		return false;
	}
	if (problem) {
		diag_add(diag, DIAG_ERROR, file, 0, "is a dwell session that %s", problem);
		return false;
	}
	if (!source_is_seekable(source)) {
		diag_add(diag, DIAG_ERROR, file, DIAG_NO_OFFSET, "is a dwell session, which cannot be read from a pipe; a file was expected");
		return false;
	}
	reader->layout.slots_used = session_layout_slots_in_file(&reader->layout, source);
	if (!reader->layout.closed)
		WARN(reader, DIAG_NO_OFFSET, "is the session of a recording that goes on, or was killed: it is read as it is");
	if (source_size(source) < reader->layout.bytes)
		WARN(reader, source_size(source), "the file ends here; %" PRIu64 " bytes were expected", reader->layout.bytes);
	return true;
}

static void release(struct session_reader *reader)
{
	free(reader->payload);
	declaration_clear(&reader->declaration);
	session_ring_clear(&reader->ring);
	slots_clear(&reader->slots);
}

static void close_session(void *state)
{
	struct session_reader *reader = state;

	release(reader);
	free(reader->chunks);
}

static bool open_state(void *state, struct reader_input *input)
{
	struct session_reader *reader = state;

	reader->input = input;
	return open_session(reader);
}

static void rewind_session(void *state)
{
	struct session_reader *reader = state, again = {.input = reader->input,
							.layout = reader->layout,
							.chunks = reader->chunks,
							.chunk_count = reader->chunk_count,
							.chunk_capacity = reader->chunk_capacity};

	release(reader);
	*reader = again;
}

static void count_damage(struct session_reader *reader, uint64_t bytes)
{
	reader->input->health->chunks_damaged++;
	reader->input->health->bytes_skipped += bytes;
}

/* Reads the payload of a journal's entry and starts on it. */
static void begin_entry(struct session_reader *reader, const struct session_entry *entry)
{
	struct raw_chunk chunk = {.offset = entry->offset, .kind = (uint16_t)entry->kind, .stream = entry->process};
	const char *problem = "was never filled in";

	reader->input->health->chunks++;
	if (entry->ready) {
		problem = "is of an unknown kind";
		if (entry->kind == DWELL_CHUNK_THREAD)
			chunk.stream = reader->layout.slot_count + reader->given_up++;
		if (entry->kind <= UINT16_MAX && declaration_knows((uint16_t)entry->kind) && entry->kind != DWELL_CHUNK_SLOTS &&
			entry->kind != DWELL_CHUNK_SEEK && entry->kind != DWELL_CHUNK_END) {
			problem = "cannot be read";
			if (array_reserve(&reader->payload, &reader->payload_capacity, (size_t)entry->bytes + 1, 1) &&
				source_read_at(reader->input->source, entry->offset + DWELL_SESSION_ENTRY_BYTES, reader->payload,
					entry->bytes) == entry->bytes) {
				chunk.payload = (struct bytes){reader->payload, entry->bytes};
				problem = declaration_begin(&reader->declaration, &chunk);
			}
		}
	}
	reader->in_entry = !problem;
	if (!problem)
		return;
	count_damage(reader, DWELL_SESSION_ENTRY_BYTES + entry->bytes);
	WARN(reader, entry->offset, "entry of the journal (kind %u, %u bytes) %s: skipped", entry->kind, entry->bytes, problem);
}

/* Removes the agent's mark from process and thread numbers that count in a PID namespace of the program. */
static void clear_inner_marks(struct message *message)
{
	if (message->kind == MESSAGE_PROCESS) {
		message->process.pid &= ~DWELL_SESSION_TASK_INNER;
		message->process.parent_pid &= ~DWELL_SESSION_TASK_INNER;
	} else if (message->kind == MESSAGE_THREAD) {
		message->thread.tid &= ~DWELL_SESSION_TASK_INNER;
	}
}

/* Writes the next message of the journal. False: the journal has ended. */
static bool next_of_journal(struct session_reader *reader, struct message *message)
{
	struct session_entry entry;
	bool damaged;

	for (;;) {
		if (reader->in_entry && declaration_next(&reader->declaration, message)) {
			clear_inner_marks(message);
			return true;
		}
		reader->in_entry = false;
		if (!session_layout_entry(&reader->layout, reader->input->source, &reader->at, &entry, &damaged)) {
			if (damaged) {
				count_damage(reader, 0);
				WARN(reader, reader->layout.journal_offset + reader->at, "the journal is damaged or cut here: the rest of it is skipped");
			}
			return false;
		}
		begin_entry(reader, &entry);
	}
}

static bool next_loss(struct session_reader *reader, struct message *message)
{
	const struct session_layout *layout = &reader->layout;
	const struct message_loss losses[] = {
		{.reason = DWELL_LOSS_THREADS, .count = layout->lost_threads},
		{.reason = DWELL_LOSS_EVENTS, .count = layout->lost_events},
		{.reason = DWELL_LOSS_SETUP, .count = layout->lost_setup},
		{.reason = DWELL_LOSS_MODULES, .count = layout->lost_entries},
		{.reason = DWELL_LOSS_GIVEN_UP, .count = layout->given_up},
		{.reason = DWELL_LOSS_UNSEEN, .count = layout->unseen},
		{.reason = DWELL_LOSS_MOVED, .count = layout->moved},
	};

	while (reader->next < sizeof losses / sizeof *losses) {
		const struct message_loss *loss = &losses[reader->next++];

		if (!loss->count)
			continue;
		*message = (struct message){.kind = MESSAGE_LOSS, .loss = *loss};
		return true;
	}
	return false;
}

static bool is_used(const struct session_slot *slot)
{
	return slot->state == DWELL_SESSION_LIVE || slot->state == DWELL_SESSION_ENDED;
}

/* Writes the next thread: all threads come before the events. */
static bool next_thread(struct session_reader *reader, struct message *message)
{
	struct session_slot *slot = &reader->slot;
	struct dwell_extent extent;
	uint64_t lost_events;

	while (reader->next < reader->layout.slots_used) {
		uint32_t index = reader->next++;

		if (!session_layout_slot(&reader->layout, reader->input->source, index, slot) || !is_used(slot) ||
			!session_layout_extent(&reader->layout, reader->input->source, index, &extent, &lost_events))
			continue;
		*message = (struct message){
			.kind = MESSAGE_THREAD,
			.offset = reader->layout.slots_offset + (uint64_t)index * DWELL_SESSION_SLOT_BYTES,
			.thread = {.stream = index,
				.process = slot->process,
				.tid = slot->tid,
				.ended = slot->state == DWELL_SESSION_ENDED,
				.wrapped = extent.begin > 0,
				.is_copy = slot->is_copy,
				.full = reader->layout.mode == DWELL_MODE_LINEAR && lost_events,
				.place_kind = DWELL_PLACE_LOW32,
				.lost_events = lost_events,
				.name = slot->name},
		};
		return true;
	}
	return false;
}

/* Adds a ring to the chunks, unless an earlier pass did. */
static void add_chunk(struct session_reader *reader, const struct raw_chunk *chunk)
{
	if (reader->ordinal < reader->chunk_count)
		return;
	if (!array_reserve(&reader->chunks, &reader->chunk_capacity, reader->chunk_count + 1, sizeof *reader->chunks)) {
		diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), chunk->offset, "cannot be indexed: out of memory");
		return;
	}
	reader->chunks[reader->chunk_count++] = (struct reader_chunk){.offset = chunk->offset, .stream = chunk->stream};
}

static bool begin_ring(struct session_reader *reader, uint32_t index)
{
	struct session_slot slot;
	const char *problem;

	if (!session_layout_slot(&reader->layout, reader->input->source, index, &slot) || !is_used(&slot))
		return false;
	reader->input->health->chunks++;
	problem = session_ring_load(&reader->ring, &reader->layout, reader->input->source, index);
	if (!problem)
		problem = slots_begin(&reader->slots, &reader->ring.chunk, DWELL_PLACE_LOW32);
	if (problem) {
		count_damage(reader, reader->layout.slot_bytes);
		WARN(reader, session_layout_ring(&reader->layout, index), "the ring of thread %u %s: skipped", slot.tid, problem);
		return false;
	}
	if (reader->ring.cut) {
		reader->input->health->cut = true;
		WARN(reader, reader->ring.chunk.offset, "the ring of thread %u is cut: what is behind the end of the file is missing", slot.tid);
	}
	add_chunk(reader, &reader->ring.chunk);
	return true;
}

static bool next_of_rings(struct session_reader *reader, struct message *message)
{
	struct reader_health *health = reader->input->health;

	for (;;) {
		if (!reader->in_ring) {
			if (reader->next == reader->layout.slots_used)
				return false;
			reader->in_ring = begin_ring(reader, reader->next++);
			continue;
		}
		if (slots_next(&reader->slots, message)) {
			if (message->kind == MESSAGE_EVENTS)
				message->events.chunk = reader->ordinal;
			else
				message->checkpoint.first = true;
			return true;
		}
		health->events += reader->slots.events;
		health->holes += reader->slots.holes;
		health->late_stamps += reader->slots.late_stamps;
		health->unknown_tags += reader->slots.unknown_tags;
		reader->ordinal++;
		reader->in_ring = false;
	}
}

static bool next_of_step(struct session_reader *reader, struct message *message)
{
	switch (reader->step) {
	case STEP_HEADER:
		*message = (struct message){.kind = MESSAGE_HEADER, .header = reader->layout.message};
		reader->step++;
		return true;
	case STEP_JOURNAL:
		return next_of_journal(reader, message);
	case STEP_LOSSES:
		return next_loss(reader, message);
	case STEP_THREADS:
		return next_thread(reader, message);
	case STEP_RINGS:
		return !reader->skips_events && next_of_rings(reader, message);
	case STEP_END:
		break;
	}
	return false;
}

static void next_session(void *state, struct message *message)
{
	struct session_reader *reader = state;
	struct reader_health *health = reader->input->health;

	for (; reader->step < STEP_END; reader->step++, reader->next = 0)
		if (next_of_step(reader, message))
			return;
	health->ended_well = reader->layout.closed;
	health->cut |= source_size(reader->input->source) < reader->layout.bytes;
	health->bytes_total = source_size(reader->input->source);
	*message = (struct message){.kind = MESSAGE_END, .offset = health->bytes_total};
}

static bool skip_events(void *state)
{
	((struct session_reader *)state)->skips_events = true;
	return true;
}

static uint64_t chunk_count(const void *state)
{
	return ((const struct session_reader *)state)->chunk_count;
}

static struct reader_chunk get_chunk(const void *state, uint64_t chunk)
{
	return ((const struct session_reader *)state)->chunks[chunk];
}

struct session_decoder {
	const struct session_reader *reader;
	struct session_ring ring;
	struct slots slots;
	uint64_t ordinal;
	bool loaded;
};

static void *make_decoder(const void *state)
{
	struct session_decoder *decoder = calloc(1, sizeof *decoder);

	if (decoder)
		decoder->reader = state;
	return decoder;
}

static void free_decoder(void *state)
{
	struct session_decoder *decoder = state;

	session_ring_clear(&decoder->ring);
	slots_clear(&decoder->slots);
	free(decoder);
}

static bool decoder_load(void *state, uint64_t ordinal)
{
	struct session_decoder *decoder = state;
	const struct session_reader *reader = decoder->reader;

	decoder->loaded =
		ordinal < reader->chunk_count &&
		!session_ring_load(&decoder->ring, &reader->layout, reader->input->source, reader->chunks[ordinal].stream) &&
		!slots_begin(&decoder->slots, &decoder->ring.chunk, DWELL_PLACE_LOW32);
	decoder->ordinal = ordinal;
	return decoder->loaded;
}

static void decoder_next(void *state, struct message *message)
{
	struct session_decoder *decoder = state;

	if (!decoder->loaded || !slots_next(&decoder->slots, message))
		*message = (struct message){.kind = MESSAGE_END};
	else if (message->kind == MESSAGE_EVENTS)
		message->events.chunk = decoder->ordinal;
	else
		message->checkpoint.first = true;
}

const struct reader_format reader_session = {
	.name = "dwell session",
	.probe = probe,
	.state_bytes = sizeof(struct session_reader),
	.open = open_state,
	.close = close_session,
	.next = next_session,
	.rewind = rewind_session,
	.skip_events = skip_events,
	.chunk_count = chunk_count,
	.get_chunk = get_chunk,
	.make_decoder = make_decoder,
	.free_decoder = free_decoder,
	.decoder_load = decoder_load,
	.decoder_next = decoder_next,
};
