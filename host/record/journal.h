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
	uint64_t damaged; /* entries that say what cannot be */
};

/* A process that told its name: what is written about it now, and again when it ended. */
typedef void journal_process_fn(void *context, const struct message_process *process);

/* Copies what is new; clock points only where record cannot read the agents' clock itself. */
void journal_copy(struct journal *journal, struct trace_writer *writer, journal_process_fn *on_process, void *context);

#endif
