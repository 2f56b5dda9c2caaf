/* losses: reports what is missing in a recording, in the file and as diags at the end. */
#ifndef DWELL_HOST_RECORD_SINK_LOSSES_H
#define DWELL_HOST_RECORD_SINK_LOSSES_H

#include <stdint.h>

#include "record/program/privileged.h"
#include "record/session/session.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

struct losses {
	const struct session *session;  /* contains some of the counters */
	/* Programs with rights of their own; programs that cannot reach record; programs started without the agent. */
	const struct privileged *privileged, *unreached, *unloaded;
	uint64_t confined; /* processes that forbade themselves the clock or system calls */
	uint64_t recorded;              /* events of a stream recording that were not lost */
	uint64_t in_rings, dropped;     /* events without room in a ring; events for which the disk was too slow */
	uint64_t broken;                /* damaged rings */
	uint64_t entries, switches;     /* lost entries of the journal; lost switches of threads */
	uint64_t faults;                /* lost page faults of threads */
};

/* Writes the losses to the file, and adds diags. in_rings and dropped only become diags: the file's threads and chunks have these
 * losses already. output: the file's name, for diags. */
void losses_report(const struct losses *of, struct trace_writer *writer, const char *output, struct diag *diag);

#endif
