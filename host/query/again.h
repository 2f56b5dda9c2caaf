/* again: all chunks of events once more, for the second pass of an entry_order. */
#ifndef DWELL_HOST_QUERY_AGAIN_H
#define DWELL_HOST_QUERY_AGAIN_H

#include <stdbool.h>

#include "model/entry_order.h"
#include "query/trace.h"
#include "util/progress.h"

struct again {
	const struct trace *trace;
	struct reader_decoder *decoder;
	struct progress progress;
};

/* After the first pass. what: for the progress line. False and a diag when there is no memory; else again_end when done. */
bool again_begin(struct again *again, const struct trace *trace, const char *what);
/* Its context is again. */
struct entry_replay again_get_replay(struct again *again);
void again_end(struct again *again);

#endif
