/* throttle: stops recording functions while the program runs, if recording them costs more time than the functions take.
 *
 *     judge.h     chooses these functions, from the calls that a process's threads recorded in the last period
 *     the stage   chooses the moment in each stream of the process. At this moment no call of the function is open, or the open
 *                 calls are innermost, and the stage ends them. From then on, the stage drops the function's events, and counts
 *                 the calls
 *     the agent   stops recording the function (target/port/os/linux/throttle.h), after the stage has chosen the moment in all
 *                 streams of the process. This may take a while. From then on the agent counts the calls, or turns off the hooks,
 *                 and then nothing counts the calls
 *     trials      now and then the agent records the function for a while; the judge measures the calls, and the stage drops them.
 *                 If the calls have become long, the recording contains the function again
 *
 * Recorded calls, calls dropped by the stage and calls counted by the agent add up to all calls, unless hooks were off. The file
 * reads as if the program stopped calling the function at some moment: from then on the function's time counts for its callers. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_H

#include "record/stage/stage.h"

/* share: the part of the threads' time in a period, 0 to 1, that recording a function may take. Null and a diag: no memory. */
struct stage *make_throttle(double share, struct diag *diag);

#endif
