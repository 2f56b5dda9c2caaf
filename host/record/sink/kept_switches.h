/* kept_switches: when threads were off the CPU, of a ring or linear recording: in memory as long as it goes on, and written with the rings
 * when the session becomes a trace.
 *
 * Of each ring so many intervals are kept as 64 MiB for all rings hold, 65,536 at most; of more, a ring recording keeps the last and a
 * linear one the first, as of events. What the rest was is not known, and not told. None of it is in the session file: when record is
 * killed, it is lost. */
#ifndef DWELL_HOST_RECORD_SINK_KEPT_SWITCHES_H
#define DWELL_HOST_RECORD_SINK_KEPT_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "record/session/switches.h"

struct kept_slot;

struct kept_switches {
	struct switches *switches;
	const struct session *session;
	struct kept_slot *slots;
};

/* False: no memory. */
bool kept_switches_begin(struct kept_switches *kept, const struct session *session, struct switches *switches);
void kept_switches_end(struct kept_switches *kept);

/* Sees whose the rings are. Before each switches_read. */
void kept_switches_see(struct kept_switches *kept);

/* How much of a ring's switches was written. Zero it before the first. */
struct kept_position {
	uint32_t next;
	uint64_t from_ticks, off_ticks, preempted_ticks;
};
/* Writes what is known of the thread in the slot, whose first event is at first_ticks, up to the event at until_ticks: in front of the
 * chunk that ends with that one. begin_ticks: of the slot, so that it is that thread. The rest waits for the next chunk. */
void kept_switches_write(const struct kept_switches *kept, struct trace_writer *writer, uint32_t stream, uint32_t slot,
	uint64_t begin_ticks, uint64_t first_ticks, uint64_t until_ticks, struct kept_position *position);

#endif
