/* clock_rate: measures the speed of the clock that a recording's programs use. */
#ifndef DWELL_HOST_RECORD_SESSION_CLOCK_RATE_H
#define DWELL_HOST_RECORD_SESSION_CLOCK_RATE_H

#include "reader/message.h"
#include "record/session/session.h"

/* Sets *ticks_per_ns to the mean rate since first, an earlier clock point. For the clock of another machine: to the rate that this
 * clock reports, or 0. False: the rate is unknown yet, since no thread has recorded, or less than least_ns have passed. */
bool clock_rate_measure(const struct session *session, const struct message_clock *first, uint64_t least_ns, double *ticks_per_ns);

#endif
