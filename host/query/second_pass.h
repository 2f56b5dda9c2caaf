/* second_pass: reads all chunks of events once more, to write calls in order of entry (model/entry_order.h). */
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

/* Call it after the first pass. what: text for the progress line. False with a diag: memory ran out. Otherwise
 * call second_pass_end when done. */
bool second_pass_begin(struct second_pass *pass, const struct trace *trace, const char *what);
/* Functions for entry_order_write, with the pass as context. */
struct entry_replay second_pass_get_replay(struct second_pass *pass);
void second_pass_end(struct second_pass *pass);

#endif
