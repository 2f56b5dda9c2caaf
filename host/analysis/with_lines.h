/* with_lines: a sink that adds to a table of functions where each begins in the source, and passes it on. Whole paths in a column behind
 * all others for scripts, short ones in front of the name for people. */
#ifndef DWELL_HOST_ANALYSIS_WITH_LINES_H
#define DWELL_HOST_ANALYSIS_WITH_LINES_H

#include "analysis/table.h"
#include "model/function/lines.h"

/* inner is copied; its writer and lines outlive the sink. With lines null, or no memory, inner itself is given. */
struct table_sink make_lines_sink(struct lines *lines, const struct table_sink *inner);
/* Of the sink that was made, not of inner. */
void free_lines_sink(struct table_sink *sink);

#endif
