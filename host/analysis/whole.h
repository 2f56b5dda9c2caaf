/* whole: the time that is 100 % in every table: all threads' time from their first event to their last, without the cost of
 * recording. It has three parts: time of functions, lost time, and time outside of all recorded functions. Tables have a row
 * (outside) for the third part. */
#ifndef DWELL_HOST_ANALYSIS_WHOLE_H
#define DWELL_HOST_ANALYSIS_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/profile.h"

#define WHOLE_OUTSIDE "(outside)"

/* In ticks. by_cpu: CPU time; otherwise wall-clock time. Profile without times: the sum of weights. */
uint64_t whole_of(const struct profile *profile, bool by_cpu);
/* The part in gaps, which any function may have used. */
uint64_t whole_lost(const struct profile *profile, bool by_cpu);
/* The time outside of all functions, in the form of a function's row, without calls. */
struct profile_function whole_outside(const struct profile *profile);

#endif
