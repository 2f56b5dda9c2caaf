/* overview: what a trace declares (processes, modules, threads, clock, losses, facts), without reading its events: by the seek table,
 * or where there is none by the headers of the chunks. Costs as much as there are declarations, and one read for each chunk without a
 * table. */
#ifndef DWELL_HOST_READER_DWELL_OVERVIEW_H
#define DWELL_HOST_READER_DWELL_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/declaration.h"
#include "reader/dwell/load.h"
#include "reader/reader.h"

/* Zero it before the first use, clear it after the last. */
struct overview {
	struct source *source; /* borrowed */
	uint32_t only;         /* the kind of chunk that is wanted; 0: all declarations */
	uint64_t *offsets;     /* of the declarations */
	size_t count, capacity, next;
	/* The chunks of streams, SLOTS and SWITCHES: where they are said to stand; taken on trust. */
	struct overview_chunk {
		uint64_t offset, first_ticks;
		uint32_t kind, stream;
	} *chunks;
	size_t chunk_count, chunk_capacity;
	struct load load;
	struct declaration declaration;
	bool in_chunk;
};

/* Finds the declarations of a seekable source, the first chunk of which stands at begin. False: the file is damaged or cut so that only
 * reading all of it tells. */
bool overview_begin(struct overview *overview, struct source *source, uint64_t begin);
/* Likewise, but chunks of one kind only, and by the table or not at all. */
bool overview_begin_kind(struct overview *overview, struct source *source, uint32_t kind);
/* The next message, as a reader gives it; what is damaged is passed over in silence. False: no more. */
bool overview_next(struct overview *overview, struct message *message);
/* As reader_has_switches. */
bool overview_has_switches(const struct overview *overview, reader_is_meant *is_meant, const void *context);
void overview_clear(struct overview *overview);

#endif
