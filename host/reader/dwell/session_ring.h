/* session_ring: reads one ring of a session file as the payload of one SLOTS chunk. */
#ifndef DWELL_HOST_READER_DWELL_SESSION_RING_H
#define DWELL_HOST_READER_DWELL_SESSION_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/split.h"
#include "reader/dwell/session_layout.h"

/* Zero before the first use, clear after the last. */
struct session_ring {
	struct raw_chunk chunk; /* as in a trace file, without a checkpoint; its payload is valid until the next load */
	uint8_t *payload;
	size_t capacity;
	uint64_t lost_events; /* as the recorder counted them */
	bool wrapped;         /* the beginning is missing */
	bool cut;             /* the file ends inside of the ring: the data behind the cut is missing */
};

/* Reads the ring of a slot. If the program is still writing to the ring, leaves
 * out what was overwritten meanwhile. Null, or an error message. */
const char *session_ring_load(struct session_ring *ring, const struct session_layout *layout, struct source *source, uint32_t slot);
void session_ring_clear(struct session_ring *ring);

#endif
