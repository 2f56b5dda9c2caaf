/* declaration: decodes every chunk that is not SLOTS into messages: processes, modules, threads, clock, losses, facts,
 * switches, page faults, samples, counts, names, sums, throttled functions, places on CPUs. A pure function of the chunk. */
#ifndef DWELL_HOST_READER_DWELL_DECLARATION_H
#define DWELL_HOST_READER_DWELL_DECLARATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/counts.h"
#include "reader/dwell/split.h"
#include "reader/dwell/names.h"
#include "reader/dwell/samples.h"
#include "reader/dwell/sums.h"
#include "reader/message.h"

/* The contents of the END chunk, which becomes no message. */
struct declaration_end {
	uint64_t seek_offset, chunks, events;
};

/* Zero before the first use, clear after the last. */
struct declaration {
	struct raw_chunk chunk; /* the chunk being decoded */
	char *text; /* the payload plus a zero byte, so every string ends */
	size_t text_capacity;
	size_t position; /* INFO: offset of the next line */
	const char **argv;
	size_t argv_capacity;
	struct message_switch *switches;
	size_t switch_capacity;
	struct message_fault *faults;
	size_t fault_capacity;
	struct message_throttled *throttled;
	size_t throttled_capacity;
	struct message_cpu_place *places;
	size_t place_capacity;
	struct samples samples;
	struct counts counts;
	struct sums sums;
	struct names_chunk names;
	bool done; /* all messages of the chunk were written */
};

/* Starts on a whole chunk. Null, or an error message for fault_skip, as from all functions that decode a chunk. */
const char *declaration_begin(struct declaration *declaration, const struct raw_chunk *chunk);
/* Writes the next message, valid until the next call. False: no more (SEEK and END have none). */
bool declaration_next(struct declaration *declaration, struct message *message);
void declaration_clear(struct declaration *declaration);

/* Returns whether this version supports the kind of chunk. */
bool declaration_knows(uint16_t kind);
/* Returns whether chunks of this kind may be PACKED, SLOTS included. */
bool declaration_can_be_packed(uint16_t kind);
/* Returns the name of a kind for people: "MODULE"; "unknown". SLOTS included. */
const char *declaration_kind_name(uint16_t kind);
/* Decodes an END chunk. pre: declaration_begin accepted the chunk. */
struct declaration_end declaration_get_end(const struct raw_chunk *chunk);

#endif
