/* declaration: a chunk that is not SLOTS → messages: processes, modules, threads, clock, losses, facts, switches, samples,
 * counts, names, sums, the throttled. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_DECLARATION_H
#define DWELL_HOST_READER_DWELL_DECLARATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/counts.h"
#include "reader/dwell/frame.h"
#include "reader/dwell/names.h"
#include "reader/dwell/samples.h"
#include "reader/dwell/sums.h"
#include "reader/message.h"

/* The END chunk: for the reader itself, no message. */
struct declaration_end {
	uint64_t seek_offset, chunks, events;
};

/* Zero it before the first use, clear it after the last. */
struct declaration {
	struct frame_chunk chunk;
	char *text; /* the payload, with a zero behind it, so that every string in it ends */
	size_t text_capacity;
	size_t position; /* INFO: of the next line */
	const char **argv;
	size_t argv_capacity;
	struct message_switch *switches;
	size_t switch_capacity;
	struct message_throttled *throttled;
	size_t throttled_capacity;
	struct samples samples;
	struct counts counts;
	struct sums sums;
	struct names_chunk names;
	bool done;
};

/* Starts on a whole chunk. Null, or what is wrong with it. */
const char *declaration_begin(struct declaration *declaration, const struct frame_chunk *chunk);
/* Next message, valid until the next call. False: no more (SEEK and END have none). */
bool declaration_next(struct declaration *declaration, struct message *message);
void declaration_clear(struct declaration *declaration);

/* Whether a chunk of this kind is known to this version. */
bool declaration_knows(uint16_t kind);
/* Whether one may be PACKED. SLOTS too. */
bool declaration_can_be_packed(uint16_t kind);
/* Name of a kind for people: "MODULE"; "unknown". SLOTS too. */
const char *declaration_kind_name(uint16_t kind);
/* What an END chunk says that declaration_begin found right. */
struct declaration_end declaration_get_end(const struct frame_chunk *chunk);

#endif
