/* overhead: what the agents measured that recording a call costs, as facts in the file. */
#ifndef DWELL_HOST_RECORD_SINK_OVERHEAD_H
#define DWELL_HOST_RECORD_SINK_OVERHEAD_H

#include "record/session/session.h"
#include "writer/trace/dwell.h"

/* What was measured so far, so that a file that is cut off has it. False: nothing yet. What is told later replaces it. */
bool overhead_tell_measured(const struct session *session, struct trace_writer *writer);

/* At the end. left_out: calls that cost as much, and are not in the file. Where nothing was measured, that is said. */
void overhead_tell(const struct session *session, uint64_t left_out, struct trace_writer *writer);

/* The middle of what was measured so far, of all ways in which calls arrive together, in ticks. False: nothing yet. */
bool overhead_get(const struct session *session, double *inner_ticks, double *outer_ticks);

#endif
