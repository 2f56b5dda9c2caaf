/* clock: the system's clocks, in nanoseconds. */
#ifndef DWELL_HOST_UTIL_CLOCK_H
#define DWELL_HOST_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the time of a clock; 0: the system lacks this clock. */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	return clock_gettime(clock, &time) ? 0 : (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Returns the time of CLOCK_MONOTONIC. */
static inline uint64_t clock_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
