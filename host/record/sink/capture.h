/* capture: writes a session's present contents as a trace, for a ring or linear recording. If the recording goes on, the trace is a
 * snapshot: of a ring recording it has the latest calls of each thread. The capture stops no thread.
 *
 *     struct capture capture = {.session = session, .writer = writer, .listener = listener, .live = true};
 *     if (capture_write(&capture)) ...
 *
 * The capture copies the rings one after the other, into memory of one ring, and makes checkpoints on the way, as for a stream. A
 * wrapped ring begins at its oldest whole block, without a checkpoint: the trace marks the thread as one without its beginning. If
 * a thread writes its ring meanwhile, slots overwritten before the copy are left out.
 *
 * The capture only reads the session: if the trace fails, the session file still exists. */
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
	bool live; /* the session's threads go on */
	const struct stage_list *stages; /* slots pass through the stages; null: slots are written unchanged */
	const struct kept_switches *switches; /* null: no switches are written */
	/* Called after the positions of all rings were read, so that the caller reads the modules and switches up to then. May be
	 * null. */
	void (*on_positions_read)(void *context);
	/* Called before a ring is written. slot: the ring's slot in the session. begin_ticks: when the ring's thread began.
	 * first_ticks: the time of the first event in the trace; 0: no event has a time. May be null. */
	void (*on_ring)(void *context, uint32_t slot, uint64_t begin_ticks, uint64_t first_ticks);
	void *context; /* for both callbacks */
	/* Set by capture_write; zero them before: events in the trace; slots claimed and never written; events without room in a
	 * ring; threads in the trace; threads without their beginning (wrapped), and without their end (full). */
	uint64_t events, holes, lost_events, threads, wrapped, full;
	uint64_t broken;   /* rings left out: inconsistent ones; with live, also rings that got another thread meanwhile */
	uint64_t given_up; /* threads whose data made room for later threads */
	uint64_t damaged;  /* damaged entries of the journal */
	struct stage_figures figures;
};

/* Writes processes, modules, threads and events; the caller writes header, clock,
 * facts, losses and the end. False: no memory; the trace is incomplete. Errors of the disk are in the writer. */
bool capture_write(struct capture *capture);

#endif
