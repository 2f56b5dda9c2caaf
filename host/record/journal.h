/* journal: what agents tell beside events → the trace file. */
#ifndef DWELL_HOST_RECORD_JOURNAL_H
#define DWELL_HOST_RECORD_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session.h"
#include "writer/dwell.h"

struct journal {
	const struct session *session;
	uint64_t pos; /* read so far */
	uint64_t damaged; /* entries that say what cannot be, or were never filled in */
	uint64_t waiting_pos, waiting_ns; /* for the entry there to be filled in, since then */
};

/* A process that told its name: what is written about it now, and again when it ended. */
typedef void journal_process_fn(void *context, const struct message_process *process);

/* An entry that is claimed and not filled in after this is left out: its process was killed. A microsecond is usual. */
#define JOURNAL_PATIENCE_NS UINT64_C(1000000000)

/* Copies what is new; final: nobody writes any more. Clock points only where record cannot read the agents' clock itself. */
void journal_copy(struct journal *journal, struct trace_writer *writer, uint64_t now_ns, bool final, journal_process_fn *on_process,
	void *context);

#endif
