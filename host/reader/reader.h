/* reader: bytes → messages. Each format is a struct reader_format; probe.c finds the right one by content. */
#ifndef DWELL_HOST_READER_READER_H
#define DWELL_HOST_READER_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"
#include "reader/message.h"
#include "reader/reader_types.h"
#include "reader/unwinder.h"
#include "util/diag.h"

struct reader;

/* Finds the format by content and opens it. Takes the source, and frees it
 * with the reader, or at once on failure. Null and a diag on failure. */
struct reader *make_reader(struct source *take_source, struct diag *diag);

struct reader_span {
	uint64_t low, high; /* [low, high), run-time addresses */
};
struct reader_program {
	const char *path;
	const struct reader_span *spans; /* the machine's memory that the program occupies */
	uint32_t span_count;
	uint64_t bias; /* run-time address − address in the symbol table */
};
/* Options of make_reader_as: facts from the user that the file lacks. All fields may be zero. */
struct reader_options {
	const char *format; /* one of READER_FORMATS: used whatever the file looks like; null: found by content */
	const char *otherwise; /* one of READER_FORMATS: used if the content fits no format; null: such a file is refused */
	enum reader_order order; /* byte order, for formats that allow both without a mark */
	bool places_are_names; /* places of function hooks are addresses of names,
			          not of code; used if the dump does not record it */
	bool places_are_returns; /* places of function hooks are return addresses; used if the dump does not
			            record it. Set either this or places_are_names, or neither */
	const char *event; /* name of the event to read, of several in the file (reader/events.h); refused for formats without
			      events. Borrowed until the reader is freed. Null: the format chooses */
	const struct reader_unwinder *unwinder; /* for formats with copies of stacks. Borrowed until the reader is freed. Null:
						   such samples have no callers */
	/* For bare files (message_header.is_bare), refused for others: */
	const struct reader_program *program; /* becomes process 0 and a module for each span, after the header; copied */
	uint64_t clock_hz; /* becomes the header's clock_hz */
};
#define READER_FORMATS "c6000, ccs, folded"
struct reader *make_reader_as(struct source *take_source, const struct reader_options *options, struct diag *diag);
void free_reader(struct reader *reader);

/* Writes the next message, valid until the next call. Damage becomes a diag and a number in the
 * health; intact data is still delivered. After the last message, MESSAGE_END again and again. */
void reader_next(struct reader *reader, struct message *message);

/* From here on only declarations come (no events, no checkpoints). Where the file allows, the events are not even
 * read: the seek table of a trace, or the headers of its chunks, are enough. Call it right after make_reader or
 * reader_rewind; it ends with the next reader_rewind. The health does not change, and damage is not reported: a
 * full pass does that. If a format or source cannot skip (a pipe, a damaged file), this has no effect. */
void reader_skip_events(struct reader *reader);

/* Right after reader_skip_events and MESSAGE_END, or after reader_survey: returns whether the file has
 * off-CPU intervals of a stream that is_wanted accepts. Also false if only a full pass would show it. */
bool reader_has_switches(const struct reader *reader, reader_is_wanted *is_wanted, const void *context);

/* Starts again from the beginning, for analyses in two passes. False
 * if the source cannot rewind (a pipe). Diags are not repeated. */
bool reader_rewind(struct reader *reader);

/* Random access, for analyses that take two passes or many threads. The number of chunks of events, in file
 * order; valid after MESSAGE_END. Zero for formats without chunks and for sources that are not seekable. */
uint64_t reader_chunk_count(const struct reader *reader);
struct reader_chunk reader_get_chunk(const struct reader *reader, uint64_t chunk);

/* Decodes one chunk at a time, independently of reader_next and of other
 * decoders. Each decoder has its own memory and may run on any thread. */
struct reader_decoder;
struct reader_decoder *make_reader_decoder(const struct reader *reader);
void free_reader_decoder(struct reader_decoder *decoder);
/* The caller takes MESSAGE_PACKED, and on MESSAGE_RESTART discards the chunk's events so far. Not for traces
 * whose stamps may be late (message_header.clock_late; *Late stamps* in FORMAT.md). */
void reader_decoder_want_packed(struct reader_decoder *decoder);
/* Loads the chunk with this ordinal (message_events.chunk). False: the chunk cannot be read any more. */
bool reader_decoder_load(struct reader_decoder *decoder, uint64_t chunk);
/* Whether the last load failed for lack of memory: the file is intact. */
bool reader_decoder_is_starved(const struct reader_decoder *decoder);
/* Writes the next message of the loaded chunk. First MESSAGE_SWITCHES: all intervals that may overlap the chunk, and perhaps some
 * before the chunk. Successive chunks may give the same interval. Then one MESSAGE_CHECKPOINT, the MESSAGE_EVENTS, and
 * MESSAGE_END. */
void reader_decoder_next(struct reader_decoder *decoder, struct message *message);

/* Returns what this decoder adds to the health: sums over the chunks whose messages were all taken. */
struct reader_counts reader_decoder_get_counts(const struct reader_decoder *decoder);

/* Reading by decoders alone, without a pass over the file first.
 *
 *     reader_survey(reader)              chunk_count and get_chunk are valid (except last_ticks, events and the place kind)
 *     reader_next(reader, …)             gives the header and all declarations, as after reader_skip_events
 *     reader_begin_decoding(reader)      from here on decoders may be made; load every chunk once, in one of them
 *     reader_end_decoding(reader, sum of their counts)         fills the health with the result of reading in order
 *
 * Works for intact files only. Survey, begin, end and reader_decoder_load return false where only reading in order gives the right
 * result. The caller then starts over with reader_rewind; no diag was added yet. */
bool reader_survey(struct reader *reader);
bool reader_begin_decoding(struct reader *reader);
bool reader_end_decoding(struct reader *reader, const struct reader_counts *counts);

const struct reader_health *reader_get_health(const struct reader *reader);
const char *reader_name(const struct reader *reader); /* the source's name */

#endif
