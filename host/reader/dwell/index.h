/* index: where a trace's chunks of events are, and a decoder that reads them by number, in any order, on any thread. The
 * first pass over the file fills the index, or a survey does (survey.h). */
#ifndef DWELL_HOST_READER_DWELL_INDEX_H
#define DWELL_HOST_READER_DWELL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwell/format.h"
#include "io/source.h"
#include "reader/dwell/split.h"
#include "reader/dwell/streams.h"
#include "reader/reader.h"

struct index_entry {
	struct reader_chunk chunk;
	enum dwell_place_kind place_kind;
	bool first, after_loss; /* as in message_checkpoint, for the chunk's checkpoint */
	struct stream_aside asides[STREAM_ASIDES]; /* the chunks of these kinds that the events may need */
	/* What the chunk must be according to a survey, which does not read the chunk. end 0: the first pass read it. */
	uint64_t end;           /* offset of the next chunk */
	uint32_t sequence;
};

/* A SWITCHES or FAULTS chunk. */
struct index_aside {
	uint64_t offset;
	uint16_t kind;
	uint32_t next; /* the stream's next chunk of this kind, counted from 1; 0: none */
	uint32_t sequence, stream; /* sequence: according to a survey, as in index_entry */
	uint64_t end;              /* offset of the next chunk, likewise; 0: the first pass read the chunk */
};

/* Zero before the first use. Has one entry for each chunk: a thousandth of the trace. */
struct index {
	struct index_entry *entries;
	size_t count, capacity;
	struct index_aside *asides;
	size_t aside_count, aside_capacity;
};

/* Adds a chunk of events. pre: stream is the state in front of the chunk's checkpoint. False: no memory. */
bool index_add(struct index *index, const struct raw_chunk *chunk, const struct stream *stream);
/* Whether chunks of the kind are SWITCHES or FAULTS. */
static inline bool index_is_aside(uint32_t kind)
{
	return kind == DWELL_CHUNK_SWITCHES || kind == DWELL_CHUNK_FAULTS;
}
/* Adds a SWITCHES or FAULTS chunk, to be given before the stream's next chunk of events. False: no memory. */
bool index_add_aside(struct index *index, const struct raw_chunk *chunk, struct stream *stream);
/* A chunk of events of the stream ends the runs of SWITCHES and of FAULTS chunks. */
void index_close_asides(struct stream *stream);
/* As reader_has_switches. */
bool index_has_switches(const struct index *index, reader_is_wanted *is_wanted, const void *context);
void index_clear(struct index *index);

/* source and index must outlive the decoder. The functions work as in reader.h. */
struct index_decoder;
struct index_decoder *make_index_decoder(struct source *source, const struct index *index);
/* The decoder's functions, with the types of struct reader_format. */
void free_index_decoder(void *decoder);
bool index_decoder_load(void *decoder, uint64_t ordinal);
void index_decoder_want_packed(void *decoder);
void index_decoder_next(void *decoder, struct message *message);
/* Sums over the chunks whose messages were all taken. */
struct reader_counts index_decoder_get_counts(const void *decoder);

#endif
