/* export_target: what formats of other tools are told of a trace beside their table. */
#ifndef DWELL_HOST_CMD_EXPORT_TARGET_H
#define DWELL_HOST_CMD_EXPORT_TARGET_H

#include "util/result_file.h"
#include "query/trace.h"
#include "writer/export/export.h"

/* Of one that is read. Borrows from both. */
struct export_target export_make_target(const struct trace *trace, const struct result_file *file);

#endif
