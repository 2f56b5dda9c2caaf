/* kept_switches: the intervals in which threads were off the CPU, for a ring or linear recording. record keeps the intervals in
 * memory while the recording goes on, and writes them with the rings when the session becomes a trace.
 *
 * All rings together have 64 MiB for intervals. A ring has an equal part, but at least 1,024 and at most 65,536 intervals: some
 * 2,700 rings or more may exceed the 64 MiB. Beyond a ring's part, a ring recording keeps the last intervals, and a linear
 * recording the first, as with events. The others are unknown, and not written. The session file has no intervals: if record is
 * killed, all intervals are lost. */
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

/* Borrows session and switches, and makes switches keep intervals. False: no memory; then nothing is kept, and kept may still be
 * used. */
bool kept_switches_begin(struct kept_switches *kept, const struct session *session, struct switches *switches);
void kept_switches_end(struct kept_switches *kept);

/* Reads the threads of the rings. Call it before each switches_read. */
void kept_switches_read_threads(struct kept_switches *kept);

/* How much of a ring's switches was written. Zero the position before the first chunk. */
struct kept_position {
	uint32_t next; /* number of intervals written or left out */
	/* The time up to which switches are written; the sum of the written intervals; the part of this sum after preemptions. */
	uint64_t from_ticks, off_ticks, preempted_ticks;
};
/* Writes the switches of the thread in the slot up to until_ticks, the time of the last event of the next chunk. Call it before
 * this chunk is written. first_ticks: the time of the thread's first event; earlier switches are left out. until_ticks UINT64_MAX:
 * all switches read so far. begin_ticks: the time the slot's thread began, which identifies the thread; does nothing if the slot
 * had another thread at the last look. Later switches wait for the next chunk. */
void kept_switches_write(const struct kept_switches *kept, struct trace_writer *writer, uint32_t stream, uint32_t slot,
	uint64_t begin_ticks, uint64_t first_ticks, uint64_t until_ticks, struct kept_position *position);

#endif
