/* with_lines: a table sink that adds to a table of functions the source line where each function begins, and passes the table to
 * the sink of a writer (--lines). CSV and JSON get whole paths in a last column; people get short paths in front of the name. */
#ifndef DWELL_HOST_ANALYSIS_WITH_LINES_H
#define DWELL_HOST_ANALYSIS_WITH_LINES_H

#include "analysis/table.h"
#include "model/function/lines.h"

/* Copies inner, the writer's sink. The writer and lines must outlive the result. Returns a copy of inner if lines is null or memory
 * runs out. */
struct table_sink make_lines_sink(struct lines *lines, const struct table_sink *inner);
/* sink: a result of make_lines_sink; does nothing for a copy of inner. */
void free_lines_sink(struct table_sink *sink);

#endif
