/* now point: the current time, for traces whose clock is this machine's CLOCK_MONOTONIC in nanoseconds. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_NOW_POINT_H
#define DWELL_CLASSIC_HOST_REMOTE_NOW_POINT_H

#include "reader/message.h"

struct message_clock now_point(void);

#endif
