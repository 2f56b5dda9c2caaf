/* overview: reads the declarations of a trace (processes, modules, threads, clock, losses, facts) without its events, for
 * reader_skip_events. It finds them by the seek table; without a table, by the headers of all chunks. Takes time
 * in proportion to the declarations; without a table also one read for each chunk. */
#ifndef DWELL_HOST_READER_DWELL_OVERVIEW_H
#define DWELL_HOST_READER_DWELL_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/declaration.h"
#include "reader/dwell/load.h"
#include "reader/reader.h"

/* Zero before the first use, clear after the last. */
struct overview {
	struct source *source; /* borrowed */
	uint32_t only;         /* the only kind of chunk to read; 0: all declarations */
	uint64_t *offsets;     /* of the declarations */
	size_t count, capacity, next; /* next: the declaration to read next */
	/* The chunks of streams, SLOTS and SWITCHES, as the table or the headers list them; the chunks themselves are not read. */
	struct overview_chunk {
		uint64_t offset, first_ticks;
		uint32_t kind, stream;
	} *chunks;
	size_t chunk_count, chunk_capacity;
	struct load load;      /* the chunk being read */
	struct declaration declaration;
	bool in_chunk;         /* the declaration may have more messages */
};

/* Finds the declarations of a seekable source, whose first chunk is at begin.
 * False: only a full read can find them, as the file is damaged or cut. */
bool overview_begin(struct overview *overview, struct source *source, uint64_t begin);
/* Finds the chunks of one kind, by the seek table only. */
bool overview_begin_kind(struct overview *overview, struct source *source, uint32_t kind);
/* Writes the next message; skips damaged chunks without a diag. False: no more. */
bool overview_next(struct overview *overview, struct message *message);
/* As reader_has_switches. */
bool overview_has_switches(const struct overview *overview, reader_is_wanted *is_wanted, const void *context);
void overview_clear(struct overview *overview);

#endif
