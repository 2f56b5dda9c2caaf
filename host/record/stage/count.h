/* count: adds up the calls in the slots, and drops all events, for runs of any length. The stage writes the open calls with the
 * sums. So a file that was cut off behind any sums is complete up to these sums.
 *
 * Readers get the same results as from all events, with exceptions:
 *   - If the program did not record where a jump landed, only symbols could show the landing, and the stage reads no symbols.
 *   - If a call without an entry turns out to enclose other calls, the other calls keep their places in the tree.
 *   - A call entered in a gap gets a path with its function, but the call's callees have an unknown caller.
 *   - With more than PATH_SUMS_NODES_MAX open calls, the innermost calls are written only when they end. */
#ifndef DWELL_HOST_RECORD_STAGE_COUNT_H
#define DWELL_HOST_RECORD_STAGE_COUNT_H

#include "record/stage/stage.h"

/* Null: no memory. */
struct stage *make_count_stage(void);

#endif
