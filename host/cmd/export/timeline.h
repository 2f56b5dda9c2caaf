/* export_timeline: single calls, or what samples have in common, into a format of other tools. */
#ifndef DWELL_HOST_CMD_EXPORT_TIMELINE_H
#define DWELL_HOST_CMD_EXPORT_TIMELINE_H

#include <stdbool.h>

#include "analysis/calls/call_filter.h"
#include "util/result_file.h"
#include "query/trace.h"
#include "writer/export/export.h"

struct export_timeline {
	const char *path, *thread;
	struct call_filter filter;
	const struct export_format *format;
};

/* The trace is opened and read. What cannot be: a diag. */
void export_timeline(struct trace *trace, const struct export_timeline *what, const struct result_file *file);

#endif
