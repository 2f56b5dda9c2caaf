/* losses: what is missing in a recording: into its file, and said when it ends. */
#ifndef DWELL_HOST_RECORD_SINK_LOSSES_H
#define DWELL_HOST_RECORD_SINK_LOSSES_H

#include <stdint.h>

#include "record/program/privileged.h"
#include "record/session/session.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

struct losses {
	const struct session *session;  /* counts some of it */
	const struct privileged *privileged;
	uint64_t recorded;              /* events, of a stream */
	uint64_t in_rings, dropped;     /* events that found no room in a ring; that the disk was too slow for */
	uint64_t broken;                /* rings */
	uint64_t entries, switches;     /* of the journal; of threads */
};

void losses_tell(const struct losses *of, struct trace_writer *writer, const char *output, struct diag *diag);

#endif
