/* overhead: writes the cost of recording a call, as measured by the agents, as facts to the file. */
#ifndef DWELL_HOST_RECORD_SINK_OVERHEAD_H
#define DWELL_HOST_RECORD_SINK_OVERHEAD_H

#include "record/session/session.h"
#include "writer/trace/dwell.h"

/* Writes the measurements so far, so a file that is cut off has
 * some; later measurements replace them. False: no measurements yet. */
bool overhead_write_measured(const struct session *session, struct trace_writer *writer);

/* Writes the final measurements, or the fact that none exist. left_out: number of calls with the same cost, but not in the file. */
void overhead_write(const struct session *session, uint64_t left_out, struct trace_writer *writer);

/* The mean of the measurements so far, without a twentieth at either end, in ticks. False: no measurements yet. */
bool overhead_get(const struct session *session, double *inner_ticks, double *outer_ticks);

#endif
