/* hooks: reports, at the end of a recording, by which hooks the recorded calls arrived. */
#ifndef DWELL_HOST_RECORD_PROGRAM_HOOKS_H
#define DWELL_HOST_RECORD_PROGRAM_HOOKS_H

#include "record/session/session.h"
#include "record/sink/called.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

/* Writes the fact "hooks". Warns of functions and files with hooks that could not be recorded, and
 * of files whose compilation counts times for the wrong function. output: path of the trace. */
void hooks_report(const struct session *session, const struct called *called, struct trace_writer *writer, const char *output,
	struct diag *diag);

#endif
