/* survey: finds all chunks of an intact trace by its seek table, without reading them, so that decoders on many threads can
 * read the chunks at once (reader_survey). The table does not have the lengths and sequence numbers of chunks. The survey
 * derives both from the order of the entries, and the decoders compare them with each chunk. */
#ifndef DWELL_HOST_READER_DWELL_SURVEY_H
#define DWELL_HOST_READER_DWELL_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/declaration.h"
#include "reader/dwell/index.h"
#include "reader/dwell/load.h"
#include "reader/dwell/streams.h"

/* A chunk as the table lists it. end: where the next chunk begins; sequence: the number that the chunk must have. */
struct survey_chunk {
	uint64_t offset, end;
	uint32_t sequence, stream;
	uint16_t kind;
};

/* Zero before the first use, clear after the last. */
struct survey {
	struct source *source;
	struct survey_chunk *declarations; /* chunks that survey_next reads, in the order of the file */
	size_t count, capacity, next; /* next: the declaration to read next */
	struct declaration_end end; /* contents of the END chunk */
	uint64_t chunks;            /* number of all chunks of the file */
	uint32_t others;            /* number of chunks that are not SLOTS, SEEK or END */
	uint64_t last_offset;       /* internal: the previous entry while the table is read */
	uint32_t last_kind, last_stream;
	/* Sequence number of the first SEEK chunk. All chunks except SLOTS are numbered together, from 0, and only END follows the
	 * SEEK chunks. So the number equals `others` in an intact file. */
	uint32_t seek_sequence;
	bool has_mismatch;                /* a chunk is not as expected: the file must be read in order */
	struct load load;           /* the chunk being read */
	struct declaration declaration;
	bool in_chunk;              /* the declaration may have more messages */
};

/* Fills the empty index with the chunks of events. pre: the source is seekable,
 * its first chunk is at begin. False: the file must be read in order. */
bool survey_begin(struct survey *survey, struct source *source, uint64_t begin, struct index *index, struct streams *streams);
/* Writes the next message of a declaration. False: there are no more, or a chunk is not as expected. */
bool survey_next(struct survey *survey, struct streams *streams, struct message *message);
/* After the last survey_next: completes the index. False: the file must be read in order. */
bool survey_finish(const struct survey *survey, struct streams *streams, struct index *index);
/* After all chunks are decoded: fills the health with what reading in order would give. counts: the sum over all
 * decoders. False: a chunk was not as expected, and the file must be read in order. */
bool survey_fill_health(const struct survey *survey, const struct reader_counts *counts, struct reader_health *health);
void survey_clear(struct survey *survey);

#endif
