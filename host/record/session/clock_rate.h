/* clock_rate: measures the speed of the clock that a recording's programs use. */
#ifndef DWELL_HOST_RECORD_SESSION_CLOCK_RATE_H
#define DWELL_HOST_RECORD_SESSION_CLOCK_RATE_H

#include "reader/message.h"
#include "record/session/session.h"

/* Sets *ticks_per_ns to the mean rate since first, an earlier clock point. If the programs have the clock of another machine:
 * to the rate that the first recording thread reported; 0: unknown. False: too early, since no thread has recorded yet, or
 * less than least_ns have passed since first. */
bool clock_rate_measure(const struct session *session, const struct message_clock *first, uint64_t least_ns, double *ticks_per_ns);

#endif
