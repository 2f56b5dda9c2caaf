/* count: what is drained of a ring → sums of its calls, and no events: for runs of any length. What is open when sums are written is told
 * with them, so a recording that is cut off there has it all.
 *
 * Who reads them has what all events would have given, but for what only a file's symbols can tell, where a jump landed that the program
 * did not say. Calls stay where they were in the tree when one turns out to be around them whose entry nobody saw; and one that was
 * entered in a gap has a path of the function that it turned out to be, while calls in it were called by an unknown one. Of more
 * than PATH_SUMS_NODES_MAX calls that are open, the innermost are told when they are over. */
#ifndef DWELL_HOST_RECORD_STAGE_COUNT_H
#define DWELL_HOST_RECORD_STAGE_COUNT_H

#include "record/stage/stage.h"

/* Null: no memory. */
struct stage *make_count_stage(void);

#endif
