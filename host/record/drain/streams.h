/* streams: the slots of the session → streams of the trace file: one for each thread that recorded. */
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

/* Read the numbers, leave the rest alone. */
struct streams {
	const struct session *session;
	struct trace_writer *writer;
	struct workers *workers; /* set it before the first streams_write */
	struct switches *switches;
	const struct stage_list *stages; /* likewise: of the recording */
	bool holds;         /* likewise: threads wait for room */
	uint32_t whole_pid;    /* the process that is recorded from its start, 0: none */
	struct budget budget; /* of memory */
	struct stream **by_slot;
	struct stream_owner *owners; /* whose they are, together, to be looked through */
	uint64_t looked_ns;          /* for slots that somebody began to take */
	uint32_t next_stream, live;
	uint64_t events, holes, lost_events, dropped_events, threads, broken;
	struct stage_figures figures;
};

/* budget_bytes: of memory that all rings together should take. False: no memory. */
bool streams_begin(struct streams *streams, const struct session *session, struct trace_writer *writer, struct switches *switches,
	uint64_t budget_bytes);
void streams_end(struct streams *streams);

/* Sees which slots are in use and how far their rings have come. final: their threads do not run any more. What was told in the
 * journal before that belongs to what streams_write writes afterwards, and so do the switches: see, read the switches, copy the journal,
 * write. */
void streams_see(struct streams *streams, uint64_t now_ns, bool final);
/* Writes what was seen, of those rings that hold enough, have waited long enough or whose thread has ended. final: all of it.
 * Returns whether any ring was filling up. */
bool streams_write(struct streams *streams, uint64_t now_ns, bool final);

#endif
