/* overhead: writes the cost of recording a call, as measured by the agents, as facts to the file. */
#ifndef DWELL_HOST_RECORD_SINK_OVERHEAD_H
#define DWELL_HOST_RECORD_SINK_OVERHEAD_H

#include "record/session/session.h"
#include "writer/trace/dwell.h"

/* Writes the measurements so far as facts, since a file may be cut off before its end. A later call replaces the facts of this
 * call. False: no measurements yet. */
bool overhead_write_measured(const struct session *session, struct trace_writer *writer);

/* Writes the final measurements, or the fact that none exist. left_out: the number of calls that were recorded, at the same cost,
 * and then left out of the file. */
void overhead_write(const struct session *session, uint64_t left_out, struct trace_writer *writer);

/* The cost of recording a call in ticks: between the call's two stamps (inner), and the rest (outer). Each is the mean of the
 * measurements of the empty loop so far, without a twentieth at either end. False: no measurements yet. */
bool overhead_get(const struct session *session, double *inner_ticks, double *outer_ticks);

#endif
