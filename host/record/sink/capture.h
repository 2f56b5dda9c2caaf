/* capture: a session as it is → a trace. Of a ring or linear recording that has ended, or of one that goes on: then it is what every
 * thread did last, up to the moment, and nobody is stopped for it.
 *
 *     struct capture capture = {.session = session, .writer = writer, .listener = listener, .live = true};
 *     if (capture_write(&capture)) ...
 *
 * The rings are copied one after the other, into memory of one ring; checkpoints are made on the way, as for a stream. A ring that
 * wrapped begins at its oldest whole block, without a checkpoint: its thread is said to have lost its beginning. Of a ring that its thread
 * writes meanwhile, what was overwritten before it was copied is left out.
 *
 * The session is only read, so it stays what it was: should the trace come to nothing, the session file is still there. */
#ifndef DWELL_HOST_RECORD_SINK_CAPTURE_H
#define DWELL_HOST_RECORD_SINK_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/drain/workers.h"
#include "record/session/journal.h"
#include "record/session/session.h"
#include "record/sink/kept_switches.h"
#include "record/stage/stage.h"
#include "writer/trace/dwell.h"

struct capture {
	const struct session *session;
	struct trace_writer *writer;
	struct workers *workers;
	const struct journal_listener *listener; /* may be null */
	bool live; /* its threads go on */
	const struct stage_list *stages; /* that slots go through; null: they are written as they are */
	const struct kept_switches *switches; /* null: none are written */
	void (*on_seen)(void *context); /* how far the rings have come is known: what happened until now can be asked for. May be null */
	/* A ring is written: the slot that it is of, when its thread began, and its first event. May be null. */
	void (*on_ring)(void *context, uint32_t slot, uint64_t begin_ticks, uint64_t first_ticks);
	void *context; /* of both */
	/* What was found: */
	uint64_t events, holes, lost_events, threads, wrapped, full;
	uint64_t broken;   /* rings that say what cannot be */
	uint64_t given_up; /* threads whose data was given up for others' */
	uint64_t damaged;  /* entries of the journal */
	struct stage_figures figures;
};

/* Writes processes, modules, threads and events; header, clock, facts, losses and the end are the caller's. False: no memory. What the
 * disk refused is known to the writer. */
bool capture_write(struct capture *capture);

#endif
