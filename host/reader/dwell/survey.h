/* survey: finds all chunks of an intact trace by its seek table, without reading them. The
 * table proves neither the ends nor the sequence numbers of chunks: the decoders check both. */
#ifndef DWELL_HOST_READER_DWELL_SURVEY_H
#define DWELL_HOST_READER_DWELL_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/declaration.h"
#include "reader/dwell/index.h"
#include "reader/dwell/load.h"
#include "reader/dwell/streams.h"

struct survey_chunk {
	uint64_t offset, end;
	uint32_t sequence, stream;
	uint16_t kind;
};

/* Zero before the first use, clear after the last. */
struct survey {
	struct source *source;
	struct survey_chunk *declarations;
	size_t count, capacity, next;
	struct declaration_end end; /* contents of the END chunk */
	uint64_t chunks;            /* all of the file */
	uint32_t others;            /* of those: all but SLOTS, SEEK and END */
	uint64_t last_offset;       /* internal: the previous entry while the table is read */
	uint32_t last_kind, last_stream;
	uint32_t seek_sequence;     /* of the first SEEK chunk, so the number of `others` */
	bool is_odd;                /* something is not as expected */
	struct load load;
	struct declaration declaration;
	bool in_chunk;
};

/* Fills the empty index with the chunks of events. pre: the source is seekable,
 * its first chunk is at begin. False: the file must be read in order. */
bool survey_begin(struct survey *survey, struct source *source, uint64_t begin, struct index *index, struct streams *streams);
/* Writes the next message of a declaration. False: no more, or is_odd. */
bool survey_next(struct survey *survey, struct streams *streams, struct message *message);
/* After the last survey_next: completes the index. False: the file must be read in order. */
bool survey_finish(const struct survey *survey, struct streams *streams, struct index *index);
/* After all chunks are decoded: sets the health to what reading in order would give. False: something is odd. */
bool survey_tell(const struct survey *survey, const struct reader_counts *counts, struct reader_health *health);
void survey_clear(struct survey *survey);

#endif
