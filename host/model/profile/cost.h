/* cost: subtracts the cost of recording calls from a complete profile (model_finish). The times of functions, paths and threads are
 * then net, and
 *
 *     self + recording + held + lost + outside  =  last − first        to the tick, for each thread
 *
 * Each call costs its own function the time between the two stamps (inner), and the caller the rest (outer):
 *
 *     recording  =  calls × inner  +  calls made × outer        at most the time on the CPU; for each function in each thread
 *
 * Both costs have a lower and an upper bound. The middle is subtracted, and half of the difference is the error. No time
 * becomes negative. Nothing else is subtracted, so the cost follows from one row of by_thread. Each function's cost is then
 * divided among the paths, in proportion to the cost of the paths' calls, and up to each path's time on the CPU. The sums by
 * function, by path and by thread therefore agree in every view.
 *
 * The recorder may record a call and then leave it out of the file (--depth, …). Such a call costs as much, but its caller is
 * unknown: its cost stays in the times, and adds to each function's error. So does the cost of counting calls. */
#ifndef DWELL_HOST_MODEL_PROFILE_COST_H
#define DWELL_HOST_MODEL_PROFILE_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/overhead.h"
#include "model/profile/profile.h"

/* The cost of a call that is only counted, as a part of the cost of a recorded call, at most: counting reads
 * no clock and stores no slot (measured: a tenth). */
#define COST_COUNTED 0.25

/* pre: the profile is complete, and has calls with times. counted: number of calls that were counted in place of being recorded
 * (--throttle). False: no memory: the profile is then not fully net. */
bool cost_make_net(struct profile *profile, const struct overhead *overhead, uint64_t counted);

/* The cost of the calls that the recorder left out of the file; and an upper bound for the cost of counted calls. In ticks. Both
 * are still in the functions' times. */
double cost_left_out(const struct overhead *overhead);
double cost_counted(const struct overhead *overhead, uint64_t counted);

#endif
