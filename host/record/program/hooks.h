/* hooks: what is said about how the recorded calls arrived, which is known when they have. */
#ifndef DWELL_HOST_RECORD_PROGRAM_HOOKS_H
#define DWELL_HOST_RECORD_PROGRAM_HOOKS_H

#include "record/session/session.h"
#include "record/sink/called.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

/* The fact "hooks" of the trace, and warnings: for functions and files with hooks that could not be recorded, and for files that were compiled
 * so that times are the wrong function's. output: the trace's name. */
void hooks_tell(const struct session *session, const struct called *called, struct trace_writer *writer, const char *output,
	struct diag *diag);

#endif
