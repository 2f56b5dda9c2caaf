/* export_profiles: writes call paths in a format of another tool. In a format with room for several profiles, there is one by
 * wall-clock time and, if it is known, one by CPU time; both of all threads, and of each thread if there are several. */
#ifndef DWELL_HOST_CMD_EXPORT_PROFILES_H
#define DWELL_HOST_CMD_EXPORT_PROFILES_H

#include <stdbool.h>

#include "query/trace.h"
#include "util/result_file.h"
#include "writer/export/export.h"

/* pre: the trace is read; if the format has several profiles, with thread_trees. lines: with the source lines of functions. */
void export_profiles(struct trace *trace, const struct export_format *format, bool lines, const struct result_file *file);

#endif
