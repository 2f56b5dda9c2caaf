/* relay_import: what a thread has counted of its own ring (core/relay.h) → what record goes on from. The program may have written anything
 * there: all of it is copied before it is looked at, and looked at before it is used. What it says of calls may be wrong, as slots may; it
 * must not say what no slots could. */
#ifndef DWELL_HOST_RECORD_DRAIN_RELAY_IMPORT_H
#define DWELL_HOST_RECORD_DRAIN_RELAY_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/relay.h"
#include "record/stage/count.h"

/* Zero it before the first use. */
struct relay_import {
	struct dwell_relay_state state;
	struct dwell_frame *frames; /* of all stacks, one behind the other */
	size_t frame_capacity;
	void *memory; /* of state.paths */
	size_t memory_bytes;
	struct follower *calls; /* those that are open */
};

enum relay_import_result {
	RELAY_IMPORT_GOOD,
	RELAY_IMPORT_BAD,       /* it says what cannot be */
	RELAY_IMPORT_NO_MEMORY,
};

/* Copies what is in that buffer, which is one of the thread's, and looks at it: whether it can be what follows from what was counted up to
 * from, a position in the ring. */
enum relay_import_result relay_import_read(
	struct relay_import *import, struct dwell_relay *relay, uint32_t buffer, const struct count *count, uint64_t from);
/* Adds what was read to what was counted, which goes on from there. Returns how many events that is. Once, after a good read. */
uint64_t relay_import_apply(struct relay_import *import, struct count *count);
void relay_import_clear(struct relay_import *import);

#endif
