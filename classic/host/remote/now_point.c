#include "classic/host/remote/now_point.h"

#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct message_clock now_point(void)
{
	uint64_t ns = read_clock(CLOCK_MONOTONIC);

	return (struct message_clock){.ticks = ns, .monotonic_ns = ns, .unix_ns = read_clock(CLOCK_REALTIME)};
}
