/* The reader of line buffers (classic/core/lines.h) in an image of a machine's memory,
 * written by the NITRO-SDK's profiler. Each buffer is a stream; each buffer is a chunk, too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classic/host/doors.h"
#include "reader/format.h"
#include "classic/host/reader/nitro/lines_find.h"
#include "classic/host/reader/nitro/lines_play.h"

enum { TELL_HEADER, TELL_FACTS, TELL_STREAMS, TELL_NOTHING };

struct lines_reader {
	struct reader_input *input;
	struct memory memory;
	struct lines_areas areas;
	bool is_untimed;
	int step;
	size_t at;       /* buffer of the next message */
	bool is_playing; /* messages of the buffer before are left */
	struct lines_play play;
	char key[32], value[448], name[48];
};

/* Whether the image contains a buffer, or a part of one; the first bytes of an image are no indication. */
static bool find_any(struct source *source)
{
	struct lines_areas areas = {0};
	struct memory memory;
	const char *problem;
	bool any = memory_open(&memory, source, &problem);

	if (any) {
		lines_find(&areas, &memory);
		any = areas.count || areas.cut || areas.damaged || areas.newer;
	}
	lines_areas_clear(&areas);
	memory_close(&memory);
	return any;
}

/* A recording is either with times or without: call traces are left out if other buffers have times. */
static void choose(struct lines_reader *reader)
{
	size_t timed = 0, kept = 0;

	for (size_t i = 0; i < reader->areas.count; i++)
		timed += lines_area_has_times(&reader->areas.list[i]);
	reader->is_untimed = !timed;
	for (size_t i = 0; i < reader->areas.count; i++)
		if (reader->is_untimed != lines_area_has_times(&reader->areas.list[i]))
			reader->areas.list[kept++] = reader->areas.list[i];
	if (kept < reader->areas.count)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), DIAG_NO_OFFSET,
			"holds %zu call traces, which have no times, beside function cost, which has: they are left out",
			reader->areas.count - kept);
	reader->areas.count = kept;
}

static bool find_areas(struct lines_reader *reader)
{
	const char *name = source_name(reader->input->source), *problem;
	struct diag *diag = reader->input->diag;

	if (!memory_open(&reader->memory, reader->input->source, &problem)) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "%s", problem);
		return false;
	}
	lines_find(&reader->areas, &reader->memory);
	if (reader->areas.no_memory)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be read: out of memory");
	else if (!reader->areas.count)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			reader->areas.cut ? "holds the beginning of a line buffer, and not all of its lines" : "holds no line buffer");
	lines_areas_warn(&reader->areas, name, diag);
	reader->input->health->entries_left_out = reader->areas.cut + reader->areas.damaged + reader->areas.newer;
	choose(reader);
	return reader->areas.count && !reader->areas.no_memory;
}

static bool open_lines(void *state, struct reader_input *input)
{
	struct lines_reader *reader = state;

	reader->input = input;
	input->is_bare = true;
	return find_areas(reader);
}

static void close_lines(void *state)
{
	struct lines_reader *reader = state;

	lines_play_end(&reader->play);
	lines_areas_clear(&reader->areas);
	memory_close(&reader->memory);
}

static void rewind_lines(void *state)
{
	struct lines_reader *reader = state;

	lines_play_end(&reader->play);
	reader->is_playing = false;
	reader->step = TELL_HEADER;
	reader->at = 0;
}

/* ---- messages ---- */

static struct message header(const struct lines_reader *reader)
{
	const struct lines_area *first = &reader->areas.list[0];
	bool has_lines = false;
	uint64_t hz = 0;

	for (size_t i = 0; i < reader->areas.count; i++) {
		hz = hz ? hz : reader->areas.list[i].hz;
		has_lines |= reader->is_untimed || (reader->areas.list[i].kind == LINES_KIND_COST && reader->areas.list[i].count);
	}
	return (struct message){.kind = MESSAGE_HEADER,
		.header = {.format = reader->is_untimed ? "call traces in an image of memory" : "function cost in an image of memory",
			.has_events = has_lines,
			.is_untimed = reader->is_untimed,
			.has_return_addresses = reader->is_untimed,
			.places_are_names = true,
			.unit = "",
			.clock_hz = hz,
			.clock_bits = 8 * first->words.bytes,
			.clock_global = true,
			.big_endian = first->words.is_big,
			.pointer_bytes = first->words.bytes,
			.machine = reader->memory.machine}};
}

/* Appends a count of calls or exits without a line. */
static void add_count(struct lines_reader *reader, uint64_t count, const char *what)
{
	size_t used = strlen(reader->value);

	if (count)
		snprintf(reader->value + used, sizeof reader->value - used, "; %s: %" PRIu64, what, count);
}

static struct message fact(struct lines_reader *reader, const struct lines_area *area)
{
	snprintf(reader->key, sizeof reader->key, "%s", lines_area_kind_name(area));
	snprintf(reader->value, sizeof reader->value, "at 0x%" PRIx64 ": %" PRIu64 " of %" PRIu64 " %s%s%s", area->address, area->count,
		area->capacity, area->kind == LINES_KIND_STATS ? "rows" : "lines", area->wraps ? ", begun again" : "",
		area->is_over ? ", its thread is over" : "");
	add_count(reader, area->dropped, "dropped, as it was full");
	add_count(reader, area->halves, "half recorded");
	add_count(reader, area->missed, "missed, of handlers that interrupted the profiler");
	add_count(reader, area->early, "exits of functions that were entered before");
	add_count(reader, area->abandoned, "abandoned, as longjmp left them");
	add_count(reader, area->not_left, "abandoned, and nobody said so: costs of callers are wrong");
	return (struct message){.kind = MESSAGE_INFO, .info = {reader->key, reader->value}};
}

static struct message thread(struct lines_reader *reader, size_t index)
{
	const struct lines_area *area = &reader->areas.list[index];

	snprintf(reader->name, sizeof reader->name, "%s at 0x%" PRIx64, lines_area_kind_name(area), area->address);
	return (struct message){.kind = MESSAGE_THREAD,
		.thread = {.stream = (uint32_t)index,
			.tid = (uint32_t)index + 1,
			.ended = area->is_over,
			.wrapped = area->wraps > 0,
			.place_kind = DWELL_PLACE_STRING,
			.lost_events = 2 * (area->dropped + area->missed) + area->halves,
			.name = reader->name}};
}

static void begin_play(struct lines_reader *reader, size_t index)
{
	reader->is_playing = true;
	if (!lines_play_begin(&reader->play, &reader->memory, &reader->areas.list[index], (uint32_t)index, index))
		reader->play.no_memory = true;
}

static void end_play(struct lines_reader *reader)
{
	struct reader_health *health = reader->input->health;

	if (reader->play.no_memory)
		diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), DIAG_NO_OFFSET,
			"cannot be read further: out of memory, or it has changed");
	health->unknown_tags += reader->play.odd;
	health->events += reader->play.events_told;
	lines_play_end(&reader->play);
	reader->is_playing = false;
}

/* False: no message is left. */
static bool next(struct lines_reader *reader, struct message *message)
{
	switch (reader->step) {
	case TELL_HEADER:
		*message = header(reader);
		reader->step = TELL_FACTS;
		return true;
	case TELL_FACTS:
		*message = fact(reader, &reader->areas.list[reader->at++]);
		if (reader->at == reader->areas.count) {
			reader->step = TELL_STREAMS;
			reader->at = 0;
		}
		return true;
	case TELL_STREAMS:
		if (reader->is_playing && !reader->play.no_memory && lines_play_next(&reader->play, message))
			return true;
		if (reader->is_playing)
			end_play(reader);
		if (reader->at == reader->areas.count) {
			reader->step = TELL_NOTHING;
			return false;
		}
		*message = thread(reader, reader->at);
		begin_play(reader, reader->at++);
		return true;
	}
	return false;
}

static uint64_t count_busy(const struct lines_areas *areas)
{
	uint64_t busy = 0;

	for (size_t i = 0; i < areas->count; i++)
		busy += areas->list[i].busy != 0;
	return busy;
}

static void next_lines(void *state, struct message *message)
{
	struct lines_reader *reader = state;

	if (next(reader, message)) {
		message->offset = reader->at ? reader->areas.list[reader->at - 1].offset : 0;
		return;
	}
	reader->input->health->ended_well = true;
	reader->input->health->chunks_missing = reader->areas.cut;
	reader->input->health->being_counted = count_busy(&reader->areas);
	reader->input->health->chunks_damaged = reader->areas.damaged;
	reader->input->health->chunks_unknown = reader->areas.newer;
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->input->health->bytes_total};
}

/* ---- each buffer is a chunk ---- */

static uint64_t chunk_count(const void *state)
{
	const struct lines_reader *reader = state;

	return reader->areas.count;
}

static struct reader_chunk get_chunk(const void *state, uint64_t chunk)
{
	const struct lines_reader *reader = state;

	return (struct reader_chunk){.offset = reader->areas.list[chunk].offset, .stream = (uint32_t)chunk};
}

struct decoder {
	const struct lines_reader *reader;
	struct lines_play play;
};

static void *make_decoder(const void *state)
{
	struct decoder *decoder = calloc(1, sizeof *decoder);

	if (decoder)
		decoder->reader = state;
	return decoder;
}

static void free_decoder(void *state)
{
	struct decoder *decoder = state;

	lines_play_end(&decoder->play);
	free(decoder);
}

static bool load_decoder(void *state, uint64_t chunk)
{
	struct decoder *decoder = state;
	const struct lines_reader *reader = decoder->reader;

	lines_play_end(&decoder->play);
	return chunk < reader->areas.count &&
	       lines_play_begin(&decoder->play, &reader->memory, &reader->areas.list[chunk], (uint32_t)chunk, chunk);
}

static void next_of_decoder(void *state, struct message *message)
{
	struct decoder *decoder = state;

	if (!decoder->play.area || !lines_play_next(&decoder->play, message))
		*message = (struct message){.kind = MESSAGE_END};
}

static struct reader_counts get_counts(const void *state)
{
	const struct decoder *decoder = state;

	return (struct reader_counts){.events = decoder->play.events_told, .unknown_tags = decoder->play.odd};
}

const struct reader_format reader_lines = {
	.name = "line buffers in an image of memory",
	.find = find_any,
	.state_bytes = sizeof(struct lines_reader),
	.open = open_lines,
	.close = close_lines,
	.next = next_lines,
	.rewind = rewind_lines,
	.chunk_count = chunk_count,
	.get_chunk = get_chunk,
	.make_decoder = make_decoder,
	.free_decoder = free_decoder,
	.decoder_load = load_decoder,
	.decoder_next = next_of_decoder,
	.decoder_get_counts = get_counts,
};
