/* reader: passes the calls of reader.h on to the format of the file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/reader.h"

/* The user's program and clock rate, for files that lack them: a copy from struct reader_options. */
struct user_facts {
	char *path; /* null: the user gave no program */
	struct reader_span *spans;
	uint32_t span_count;
	uint64_t bias, clock_hz;
};

struct reader {
	const struct reader_format *format;
	void *state;
	struct source *source; /* owned */
	struct reader_input input;
	struct reader_health health;
	struct diag *quiet; /* owned: takes the diags of later passes, which only repeat */
	struct user_facts user_facts;
	uint32_t facts_written; /* number of messages about the user's program so far, plus 1: first the process,
		          then the modules; 0: the header was not read yet */
	bool is_partial; /* this pass skips data, and adds no diags */
};

struct reader_decoder {
	const struct reader_format *format;
	void *state;
	bool is_starved; /* the last load failed because memory ran out */
};

/* The health before the first message: bytes_total is set already, for progress displays. */
static struct reader_health begin_health(const struct source *source)
{
	uint64_t size = source_size(source);

	return (struct reader_health){.bytes_total = size == UINT64_MAX ? 0 : size};
}

static bool open_state(struct reader *reader)
{
	reader->state = calloc(1, reader->format->state_bytes);
	if (!reader->state)
		diag_add(reader->input.diag, DIAG_ERROR, source_name(reader->source), DIAG_NO_OFFSET, "cannot be read: out of memory");
	return reader->state && reader->format->open(reader->state, &reader->input);
}

static bool copy_program(struct user_facts *user_facts, const struct reader_program *program)
{
	user_facts->path = strdup(program->path);
	user_facts->spans = malloc((program->span_count ? program->span_count : 1) * sizeof *user_facts->spans);
	user_facts->span_count = program->span_count;
	user_facts->bias = program->bias;
	if (!user_facts->path || !user_facts->spans)
		return false;
	if (program->span_count)
		memcpy(user_facts->spans, program->spans, program->span_count * sizeof *user_facts->spans);
	return true;
}

/* Keeps a copy of the user's program and clock rate. False and a diag: the file has its own, or there is no memory. */
static bool copy_user_facts(struct reader *reader, const struct reader_options *options)
{
	const char *name = source_name(reader->source);
	bool good = true;

	reader->user_facts.clock_hz = options->clock_hz;
	if (options->program && !copy_program(&reader->user_facts, options->program)) {
		diag_add(reader->input.diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be read: out of memory");
		return false;
	}
	if (options->program && !reader->input.is_bare) {
		diag_add(reader->input.diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"names its functions, or the files that they are in (%s): no program can be given for it", reader->format->name);
		good = false;
	}
	if (options->clock_hz && !reader->input.is_bare) {
		diag_add(reader->input.diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"has no clock, or tells how fast that is (%s): no rate can be given for it", reader->format->name);
		good = false;
	}
	if (options->event && !reader->input.has_events) {
		diag_add(reader->input.diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"has no events to choose from (%s): no event can be given for it", reader->format->name);
		good = false;
	}
	return good;
}

static const struct reader_format *choose_format(struct source *source, const struct reader_options *options, struct diag *diag)
{
	const struct reader_format *format = options->format ? find_format(options->format) : NULL;

	if (!options->format)
		return probe_format(source, options->otherwise ? find_format(options->otherwise) : NULL, diag);
	if (!format)
		diag_add(diag, DIAG_ERROR, source_name(source), DIAG_NO_OFFSET, "cannot be read as '%s'; formats that can be named: %s",
			options->format, READER_FORMATS);
	return format;
}

struct reader *make_reader(struct source *take_source, struct diag *diag)
{
	return make_reader_as(take_source, &(struct reader_options){0}, diag);
}

struct reader *make_reader_as(struct source *take_source, const struct reader_options *options, struct diag *diag)
{
	struct reader *reader = calloc(1, sizeof *reader);

	if (!reader) {
		diag_add(diag, DIAG_ERROR, source_name(take_source), DIAG_NO_OFFSET, "cannot be read: out of memory");
		free_source(take_source);
		return NULL;
	}
	reader->source = take_source;
	reader->health = begin_health(take_source);
	reader->input = (struct reader_input){.source = take_source, .diag = diag, .health = &reader->health,
		.order = options->order,
		.event = options->event,
		.unwinder = options->unwinder,
		.places_are_names = options->places_are_names,
		.places_are_returns = options->places_are_returns};
	reader->format = choose_format(take_source, options, diag);
	if (!reader->format || !open_state(reader) || !copy_user_facts(reader, options)) {
		free_reader(reader);
		return NULL;
	}
	return reader;
}

void free_reader(struct reader *reader)
{
	if (!reader)
		return;
	if (reader->state)
		reader->format->close(reader->state);
	free(reader->state);
	free_source(reader->source);
	free_diag(reader->quiet);
	free(reader->user_facts.path);
	free(reader->user_facts.spans);
	free(reader);
}

/* Writes the next message about the user's program, after the header. False: none is left. */
static bool next_user_message(struct reader *reader, struct message *message)
{
	const struct user_facts *user_facts = &reader->user_facts;
	uint32_t number = reader->facts_written;

	if (!user_facts->path || !number || number > user_facts->span_count + 1)
		return false;
	reader->facts_written++;
	if (number == 1)
		*message = (struct message){.kind = MESSAGE_PROCESS, .process = {.path = user_facts->path}};
	else
		*message = (struct message){
			.kind = MESSAGE_MODULE,
			.module = {.low = user_facts->spans[number - 2].low,
				.high = user_facts->spans[number - 2].high,
				.bias = user_facts->bias,
				.path = user_facts->path},
		};
	return true;
}

void reader_next(struct reader *reader, struct message *message)
{
	if (next_user_message(reader, message))
		return;
	reader->format->next(reader->state, message);
	if (message->kind != MESSAGE_HEADER)
		return;
	message->header.is_bare = reader->input.is_bare;
	if (reader->user_facts.clock_hz)
		message->header.clock_hz = reader->user_facts.clock_hz;
	reader->facts_written = 1;
}

void reader_skip_events(struct reader *reader)
{
	if (reader->format->skip_events && source_is_seekable(reader->source))
		reader->is_partial = reader->format->skip_events(reader->state);
}

bool reader_has_switches(const struct reader *reader, reader_is_wanted *is_wanted, const void *context)
{
	return reader->format->has_switches && reader->format->has_switches(reader->state, is_wanted, context);
}

bool reader_rewind(struct reader *reader)
{
	struct diag *first_diag = reader->input.diag;

	if (!source_rewind(reader->source))
		return false;
	if (!reader->quiet)
		reader->quiet = make_diag();
	reader->input.diag = reader->quiet;
	reader->health = begin_health(reader->source);
	reader->facts_written = 0;
	reader->format->rewind(reader->state);
	if (reader->is_partial)
		reader->input.diag = first_diag;
	reader->is_partial = false;
	return true;
}

uint64_t reader_chunk_count(const struct reader *reader)
{
	return reader->format->chunk_count ? reader->format->chunk_count(reader->state) : 0;
}

struct reader_chunk reader_get_chunk(const struct reader *reader, uint64_t chunk)
{
	return reader->format->get_chunk(reader->state, chunk);
}

struct reader_decoder *make_reader_decoder(const struct reader *reader)
{
	struct reader_decoder *decoder = calloc(1, sizeof *decoder);

	if (!decoder)
		return NULL;
	decoder->format = reader->format;
	if (reader->format->make_decoder)
		decoder->state = reader->format->make_decoder(reader->state);
	if (!decoder->state) {
		free(decoder);
		return NULL;
	}
	return decoder;
}

void free_reader_decoder(struct reader_decoder *decoder)
{
	if (!decoder)
		return;
	decoder->format->free_decoder(decoder->state);
	free(decoder);
}

bool reader_decoder_load(struct reader_decoder *decoder, uint64_t chunk)
{
	bool loaded;

	errno = 0; /* to detect ENOMEM: neither the allocating code nor the unpacking libraries report it in another way */
	loaded = decoder->format->decoder_load(decoder->state, chunk);
	decoder->is_starved = !loaded && errno == ENOMEM;
	return loaded;
}

bool reader_decoder_is_starved(const struct reader_decoder *decoder)
{
	return decoder->is_starved;
}

void reader_decoder_want_packed(struct reader_decoder *decoder)
{
	decoder->format->decoder_want_packed(decoder->state);
}

void reader_decoder_next(struct reader_decoder *decoder, struct message *message)
{
	decoder->format->decoder_next(decoder->state, message);
}

struct reader_counts reader_decoder_get_counts(const struct reader_decoder *decoder)
{
	return decoder->format->decoder_get_counts(decoder->state);
}

bool reader_survey(struct reader *reader)
{
	reader->is_partial = true;
	return reader->format->survey && source_is_seekable(reader->source) && reader->format->survey(reader->state);
}

bool reader_begin_decoding(struct reader *reader)
{
	return reader->format->begin_decoding(reader->state);
}

bool reader_end_decoding(struct reader *reader, const struct reader_counts *counts)
{
	return reader->format->end_decoding(reader->state, counts);
}

const struct reader_health *reader_get_health(const struct reader *reader)
{
	return &reader->health;
}

const char *reader_name(const struct reader *reader)
{
	return source_name(reader->source);
}
