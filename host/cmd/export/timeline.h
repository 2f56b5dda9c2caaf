/* export_timeline: writes single calls, or spans of samples, in a format of another tool. */
#ifndef DWELL_HOST_CMD_EXPORT_TIMELINE_H
#define DWELL_HOST_CMD_EXPORT_TIMELINE_H

#include <stdbool.h>

#include "analysis/calls/call_filter.h"
#include "util/result_file.h"
#include "query/trace.h"
#include "writer/export/export.h"

struct export_timeline {
	const char *path, *thread; /* of the recording; thread null: all threads */
	struct call_filter filter; /* for samples only longer_ns and depth_limit count */
	struct window_span span;   /* only calls that were running then, and samples taken then */
	const struct export_format *format;
};

/* Opens and reads the trace. Errors go to the diag. */
void export_timeline(struct trace *trace, const struct export_timeline *what, const struct result_file *file);

#endif
