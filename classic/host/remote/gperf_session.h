/* gperf session: a target, the link to it, and the fetched counts. The link may break and come back. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_GPERF_SESSION_H
#define DWELL_CLASSIC_HOST_REMOTE_GPERF_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "classic/host/io/wire_line.h"
#include "classic/host/remote/gperf_trace.h"
#include "symbol/image.h"

struct gperf_session {
	/* Set before the first call: */
	const char *where, *program;
	const struct symbol_image *image; /* of the program */
	uint64_t wait_ns;
	bool take, running; /* counts are taken away; the target continues to count while it is read */
	bool is_patient;    /* wait without limit for a link that does not exist, or breaks */
	bool is_lasting;    /* wait some seconds for a link that breaks */
	volatile sig_atomic_t *stop;
	struct diag *diag;
	/* Internal: */
	struct wire_line line;
	bool was_open;
	bool was_cut; /* the link was opened again since keep_past */
	uint32_t number; /* this host's number for the target */
	uint64_t until;  /* the deadline for opening the link; 0: no waiting */
	uint64_t told;   /* interrupts of the current program in the last trace made (gperf_session_make_trace) */
	struct gperf_file *files;
	uint32_t renewed; /* wire_client_renewed when files were found */
	uint64_t doubtful; /* interrupts that may be lost (wire_client_doubtful), as of the last report */
	/* Nanoseconds that interrupts took: of the current program, and of programs before. */
	uint64_t spent, spent_before;
	bool spent_unknown; /* the time that some interrupts took is unknown */
	struct gperf_counted counted; /* the counts of the current program, as last fetched */
	/* Counts before the program made new counters, or another program began. */
	struct gperf_counted *past;
	size_t past_count;
};

/* All bool functions except gperf_session_has_rest: false and a diag with the reason; without a diag if *stop is set. */
bool gperf_session_open(struct gperf_session *session);
/* Begins a session over the open link, and reads the target's state. */
bool gperf_session_greet(struct gperf_session *session);
/* Fetches all counters. flushed: the program waits in a flush, so it counts nothing meanwhile. */
bool gperf_session_fetch(struct gperf_session *session, bool flushed);
/* Waits until the program flushes (*flushed), or until the deadline. Takes counters that are nearly full meanwhile. */
bool gperf_session_wait(struct gperf_session *session, uint64_t deadline, bool *flushed);
/* Reads the memory that the program shares: wire_client_areas. */
bool gperf_session_read_shared(struct gperf_session *session);
/* Ends a flush, so the program goes on. */
bool gperf_session_done(struct gperf_session *session);
/* After an early end: whether counts were fetched that are in no trace yet; then a diag has their number. */
bool gperf_session_has_rest(struct gperf_session *session);
/* Makes a trace of all counts so far; in memory, to be freed. */
bool gperf_session_make_trace(struct gperf_session *session, uint8_t **bytes, size_t *size);
/* Ends the session with BYE. */
void gperf_session_close(struct gperf_session *session);

#endif
