/* session_ring: one ring of a session file as what the rest of the reader knows: the payload of one chunk of events. */
#ifndef DWELL_HOST_READER_DWELL_SESSION_RING_H
#define DWELL_HOST_READER_DWELL_SESSION_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/dwell/frame.h"
#include "reader/dwell/session_layout.h"

/* Zero it before the first use, clear it after the last. */
struct session_ring {
	struct frame_chunk chunk; /* as if it stood in a trace file, without a checkpoint; its payload is valid until the next load */
	uint8_t *payload;
	size_t capacity;
	uint64_t lost_events; /* by the recorder's own count */
	bool wrapped;         /* the beginning is missing */
	bool cut;             /* the file ends inside of the ring: what is behind the cut is missing */
};

/* Reads the ring of a slot. Of one that is being written meanwhile, what was overwritten is left out. Null, or what is wrong with it. */
const char *session_ring_load(struct session_ring *ring, const struct session_layout *layout, struct source *source, uint32_t slot);
void session_ring_clear(struct session_ring *ring);

#endif
