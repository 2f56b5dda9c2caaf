/* throttle: functions that are found to cost more to record than they take, while the program runs, are recorded no more.
 *
 *     judge.h     which they are: from what the threads of a process recorded in the last period
 *     here        from where on: in each stream of the process a moment is chosen at which no call of the function is open, or those that
 *                 are the innermost ones, and end there. From then on the function's events are dropped, and its calls counted
 *     the agent   is asked to save what they cost when all streams of the process have come that far
 *                 (target/port/os/linux/throttle.h). When it does so does not matter any more: it counts from then on, or has turned off
 *                 what would have to be counted
 *
 * So calls that were recorded, calls that were dropped here and calls that the agent counted are all calls there were, and every file is
 * that of a program which at some point has ceased to have this function. Its time is its caller's. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_H

#include "record/stage/stage.h"

/* share: of the threads' time in a period that recording a function may take. Null and a diag: no memory. */
struct stage *make_throttle(double share, struct diag *diag);

#endif
