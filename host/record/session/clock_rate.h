/* clock_rate: how fast the clock of a recording's programs is. */
#ifndef DWELL_HOST_RECORD_SESSION_CLOCK_RATE_H
#define DWELL_HOST_RECORD_SESSION_CLOCK_RATE_H

#include "reader/message.h"
#include "record/session/session.h"

/* Ticks in a nanosecond, by what has passed since first. Of another machine's clock nobody knows more than what it says of itself: 0 where
 * it says nothing. False: not known yet, as no thread has recorded, or less than least_ns have passed. */
bool clock_rate_learn(const struct session *session, const struct message_clock *first, uint64_t least_ns, double *ticks_per_ns);

#endif
