/* streams: makes a stream of the trace file for each thread that records into a slot of the session. Only for stream recordings:
 * capture.h writes ring and linear recordings. */
#ifndef DWELL_HOST_RECORD_DRAIN_STREAMS_H
#define DWELL_HOST_RECORD_DRAIN_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "record/session/switches.h"
#include "record/sink/budget.h"
#include "record/stage/stage.h"
#include "writer/trace/dwell.h"

struct stream;
struct stream_owner;

/* Read the numbers, and leave the other fields alone. */
struct streams {
	const struct session *session;
	struct trace_writer *writer;
	struct workers *workers; /* set before the first streams_write */
	struct switches *switches;
	const struct stage_list *stages; /* the recording's stages. Set it before the first streams_read_positions */
	bool program_waits;         /* a thread waits when the thread's ring is full. Set before the first streams_read_positions */
	uint32_t from_start_pid;    /* the process recorded from the start; 0: no such process */
	struct budget budget; /* of memory for rings */
	struct stream **by_slot;
	struct stream_owner *owners; /* the owners of the streams, in a separate array, for quick search */
	uint64_t checked_ns;          /* time of the last search for slots half taken by a killed thread */
	uint32_t next_stream, live;
	uint64_t events, holes, lost_events, dropped_events, threads, broken;
	struct stage_figures figures;
};

/* budget_bytes: memory that all rings together should take. False: no memory. */
bool streams_begin(struct streams *streams, const struct session *session, struct trace_writer *writer, struct switches *switches,
	uint64_t budget_bytes);
void streams_end(struct streams *streams);

/* Reads which slots of the session are in use, and the positions of their rings. final: the threads
 * run no more. By now, the modules of all events up to these positions are in the journal, and the threads' switches up to these
 * events are in the kernel's buffers. So a sweep calls streams_read_positions, reads the switches, copies the journal, and then
 * calls streams_write. */
void streams_read_positions(struct streams *streams, uint64_t now_ns, bool final);
/* Writes the slots found by streams_read_positions, of rings with enough slots, of rings that have waited long enough, and of ended
 * threads. final: of all rings. Returns whether any ring was filling up. */
bool streams_write(struct streams *streams, uint64_t now_ns, bool final);

#endif
