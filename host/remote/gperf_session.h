/* gperf session: a target and the link to it, and what was fetched. The link may go and come back. */
#ifndef DWELL_HOST_REMOTE_GPERF_SESSION_H
#define DWELL_HOST_REMOTE_GPERF_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "io/wire_line.h"
#include "remote/gperf_trace.h"
#include "symbol/image.h"

struct gperf_session {
	/* Set before the first call: */
	const char *where, *program;
	const struct symbol_image *image; /* of the program */
	uint64_t wait_ns;
	bool take, running; /* counts are taken away; the target counts on while it is fetched */
	bool is_patient;    /* a link that is not there, or goes, is waited for, however long */
	bool is_lasting;    /* one that was there and goes is, for some seconds */
	volatile sig_atomic_t *stop;
	struct diag *diag;
	/* Its own: */
	struct wire_line line;
	bool was_open;
	uint32_t number; /* of this host, as the target knows it */
	uint64_t until;  /* the deadline for a link that is not there; 0: it is not waited for */
	uint64_t told;   /* interrupts of this program in the last trace that was made in memory */
	struct gperf_file *files;
	uint32_t renewed;
	uint64_t doubtful; /* that were told */
	/* What the interrupts took, in nanoseconds: those of the program that runs there, and of programs before. */
	uint64_t spent, spent_before;
	bool spent_unknown; /* of some */
	struct gperf_counted counted;
	/* Of programs that were there before this one. */
	struct gperf_counted *past;
	size_t past_count;
};

/* All return false with a diag that says why; or without one where a signal ended it. */
bool gperf_session_open(struct gperf_session *session);
/* A link is there, and the target has said what it is. */
bool gperf_session_greet(struct gperf_session *session);
/* Fetches all. flushed: the program waits in a flush, so nothing is counted meanwhile. */
bool gperf_session_fetch(struct gperf_session *session, bool flushed);
/* Until the program flushes (*flushed), or the deadline. Counters that near their end are taken away meanwhile. */
bool gperf_session_wait(struct gperf_session *session, uint64_t deadline, bool *flushed);
/* The memory that the program shares: wire_client_areas. */
bool gperf_session_read_shared(struct gperf_session *session);
/* That the program may go on. */
bool gperf_session_done(struct gperf_session *session);
/* It has ended before it had all: whether there is something that was fetched, and is in no trace yet. */
bool gperf_session_has_rest(struct gperf_session *session);
/* A trace of all that was counted so far; in memory, to be freed. */
bool gperf_session_make_trace(struct gperf_session *session, uint8_t **bytes, size_t *size);
/* Says good-bye. */
void gperf_session_close(struct gperf_session *session);

#endif
