/* survey: where all chunks of an intact trace are, by its seek table, without reading them. What could not be seen from there,
 * decoding will have to find as expected: that each chunk ends where the next begins, and its sequence number. */
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

/* Zero it before the first use, clear it after the last. */
struct survey {
	struct source *source;
	struct survey_chunk *declarations;
	size_t count, capacity, next;
	struct declaration_end end; /* what the END chunk says */
	uint64_t chunks;            /* all of them */
	uint32_t others;            /* of those: neither of events nor the table nor END */
	uint64_t last_offset;       /* internal: while the table is read */
	uint32_t last_kind, last_stream;
	uint32_t seek_sequence;     /* of the first SEEK chunk: as many others come before it */
	bool is_odd;                /* something is not as expected */
	struct load load;
	struct declaration declaration;
	bool in_chunk;
};

/* Fills the index, which is empty, with the chunks of events. The source is seekable, its first chunk stands at begin. False: that is
 * for who reads in order. */
bool survey_begin(struct survey *survey, struct source *source, uint64_t begin, struct index *index, struct streams *streams);
/* The next declaration. False: no more, or is_odd. */
bool survey_next(struct survey *survey, struct streams *streams, struct message *message);
/* When there are no more: the index is ready. False: something is odd. */
bool survey_finish(const struct survey *survey, struct streams *streams, struct index *index);
/* When all chunks are decoded: what reading in order would say of the file. False: something is odd. */
bool survey_tell(const struct survey *survey, const struct reader_counts *counts, struct reader_health *health);
void survey_clear(struct survey *survey);

#endif
