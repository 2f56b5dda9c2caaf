/* whole: 100 % for shares of time, equal in every table: all the time that threads ran, without the cost of recording. The sum
 * consists of the time of functions, lost time, and time outside of all recorded functions, for which tables have a row:
 * (outside). */
#ifndef DWELL_HOST_ANALYSIS_WHOLE_H
#define DWELL_HOST_ANALYSIS_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/profile.h"

#define WHOLE_OUTSIDE "(outside)"

/* by_cpu: CPU time; otherwise wall-clock time. Without times: the sum of weights. */
uint64_t whole_of(const struct profile *profile, bool by_cpu);
/* The part in gaps, which any function may have used. */
uint64_t whole_lost(const struct profile *profile, bool by_cpu);
/* The time outside of all functions, in the form of a function's row, without calls. */
struct profile_function whole_outside(const struct profile *profile);

#endif
