/* reader: bytes → messages. A slot with one member for each format; probe.c tries them by content. */
#ifndef DWELL_HOST_READER_READER_H
#define DWELL_HOST_READER_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"
#include "reader/message.h"
#include "reader/reader_types.h"
#include "util/diag.h"

struct reader;

/* Finds the format by content and opens it. Takes the source (freed with the reader, or at once on failure). Null and a diag that says
 * what was expected on failure. */
struct reader *make_reader(struct source *take_source, struct diag *diag);

/* The same with what the user knows and the file does not say. All of it may be zero. */
struct reader_span {
	uint64_t low, high; /* [low, high), run-time addresses */
};
struct reader_program {
	const char *path;
	const struct reader_span *spans; /* what of the machine's memory it is in */
	uint32_t span_count;
	uint64_t bias; /* run-time address − address in the symbol table */
};
struct reader_options {
	const char *format; /* one of READER_FORMATS: it is that, whatever it looks like; null: found by content */
	const char *otherwise; /* likewise, where no format is found; null: it is refused */
	enum reader_order order; /* of its bytes, where the format has either and does not say which */
	bool places_are_names; /* of function hooks: addresses of names, not of code, where the dump does not say it */
	bool places_are_returns; /* likewise: return addresses; one of these two at the most */
	/* For bare files (message_header.is_bare), refused for others: */
	const struct reader_program *program; /* told as process 0, and a module for each span, behind the header; copied */
	uint64_t clock_hz; /* told in the header */
};
#define READER_FORMATS "c6000, ccs, folded"
struct reader *make_reader_as(struct source *take_source, const struct reader_options *options, struct diag *diag);
void free_reader(struct reader *reader);

/* The next message, valid until the next call. Damage is a diag and a number in the health; what is intact is still delivered.
 * After the last one, MESSAGE_END again and again. */
void reader_next(struct reader *reader, struct message *message);

/* From here on only declarations come (no events, no checkpoints), and the events are not even read where the file allows: by the
 * seek table of a trace, or by the headers of its chunks. Right after make_reader or reader_rewind; ends with the next reader_rewind.
 * The health stays as it is, and damage is not told: reading it all will. Where a format or a source has no short way (a pipe, a
 * damaged file), all is read, and everything comes as ever. */
void reader_skip_events(struct reader *reader);

/* Right after reader_skip_events and MESSAGE_END, or reader_survey: whether it is told when threads were off the CPU, of a stream that is
 * meant. False, too, where only reading tells. */
bool reader_has_switches(const struct reader *reader, reader_is_meant *is_meant, const void *context);

/* From the start again: for analyses that take two passes. False when the source cannot (a pipe). Diags are not repeated. */
bool reader_rewind(struct reader *reader);

/* Random access, for analyses that take two passes or many threads. Chunks of events, in file order; known once MESSAGE_END came. Zero
 * for formats without chunks and for sources that are not seekable. */
uint64_t reader_chunk_count(const struct reader *reader);
struct reader_chunk reader_get_chunk(const struct reader *reader, uint64_t chunk);

/* Decodes one chunk at a time, independent of reader_next and of other decoders (each has its own memory; any thread may run one). */
struct reader_decoder;
struct reader_decoder *make_reader_decoder(const struct reader *reader);
void free_reader_decoder(struct reader_decoder *decoder);
/* For who takes MESSAGE_RUN, and can forget what it was told of a chunk when MESSAGE_AGAIN comes. Not where stamps may be late. */
void reader_decoder_want_runs(struct reader_decoder *decoder);
/* Loads chunk number chunk (as in message_events.chunk). False when it cannot be read any more. */
bool reader_decoder_load(struct reader_decoder *decoder, uint64_t chunk);
/* Whether that was for want of memory: nothing is wrong with the file. */
bool reader_decoder_is_starved(const struct reader_decoder *decoder);
/* Its messages: MESSAGE_SWITCHES, all that may lie in its time, some perhaps that were before it and will be given with the next chunk
 * again; one MESSAGE_CHECKPOINT, then MESSAGE_EVENTS; MESSAGE_END after the last. */
void reader_decoder_next(struct reader_decoder *decoder, struct message *message);

struct reader_counts reader_decoder_get_counts(const struct reader_decoder *decoder);

/* Reading by decoders alone, without going through the file first.
 *
 *     reader_survey(reader)              chunk_count and get_chunk are known (but for last_ticks and events, and the place kind)
 *     reader_next(reader, …)             the header and all declarations, as after reader_skip_events
 *     reader_begin_decoding(reader)      now decoders may be made; every chunk has to be loaded once by one of them
 *     reader_end_decoding(reader, sum of their counts)         the health is what reading in order would have made of it
 *
 * It works for files that are intact: each of the last three is false where something turns out that only reading in order can say
 * rightly, as is reader_decoder_load. Then: reader_rewind, and nothing was said of it yet. */
bool reader_survey(struct reader *reader);
bool reader_begin_decoding(struct reader *reader);
bool reader_end_decoding(struct reader *reader, const struct reader_counts *counts);

const struct reader_health *reader_get_health(const struct reader *reader);
const char *reader_name(const struct reader *reader); /* of the source */

#endif
