/* second_pass: all chunks of events once more, for the second pass of an entry_order. */
#ifndef DWELL_HOST_QUERY_SECOND_PASS_H
#define DWELL_HOST_QUERY_SECOND_PASS_H

#include <stdbool.h>

#include "model/entry_order.h"
#include "query/trace.h"
#include "util/progress.h"

struct second_pass {
	const struct trace *trace;
	struct reader_decoder *decoder;
	struct progress progress;
};

/* After the first pass. what: for the progress line. False and a diag when there is no memory; else second_pass_end when done. */
bool second_pass_begin(struct second_pass *pass, const struct trace *trace, const char *what);
/* Its context is the pass. */
struct entry_replay second_pass_get_replay(struct second_pass *pass);
void second_pass_end(struct second_pass *pass);

#endif
