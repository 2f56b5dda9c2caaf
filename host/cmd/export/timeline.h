/* export_timeline: single calls, or what samples have in common, into a format of other tools. */
#ifndef DWELL_HOST_CMD_EXPORT_TIMELINE_H
#define DWELL_HOST_CMD_EXPORT_TIMELINE_H

#include <stdbool.h>

#include "analysis/calls/call_filter.h"
#include "cli/result_file.h"
#include "query/trace.h"
#include "writer/export/export.h"

/* What a reader that keeps all of a file in memory still shows. */
#define EXPORT_FEW_CALLS UINT64_C(1000000)
#define EXPORT_FEW_BYTES (UINT64_C(64) << 20) /* of the file: larger ones are not even looked at */

struct export_timeline {
	const char *path, *thread;
	struct call_filter filter;
	const struct export_format *format;
};

/* The trace is opened and read. What cannot be: a diag. */
void export_timeline(struct trace *trace, const struct export_timeline *what, const struct result_file *file);
/* The same where moments are known, of no more than EXPORT_FEW_CALLS. False: nothing was written, and the trace is as it was before; it is
 * for sums. */
bool export_timeline_of_few(struct trace *trace, const struct export_timeline *what, const struct result_file *file);

#endif
