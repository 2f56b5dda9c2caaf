/* export_target: gives a writer of another tool's format the output file and facts about the trace, such as its start. */
#ifndef DWELL_HOST_CMD_EXPORT_TARGET_H
#define DWELL_HOST_CMD_EXPORT_TARGET_H

#include "util/result_file.h"
#include "query/trace.h"
#include "writer/export/export.h"

/* pre: the trace is read. The result borrows from trace and file. */
struct export_target export_make_target(const struct trace *trace, const struct result_file *file);

#endif
