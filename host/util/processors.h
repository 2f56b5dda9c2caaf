/* processors: on how many processors this process may run, for work that is divided among threads. */
#ifndef DWELL_HOST_UTIL_PROCESSORS_H
#define DWELL_HOST_UTIL_PROCESSORS_H

#include <stdint.h>

/* At least 1. A container's or taskset's limit counts; a limit of time (cgroup cpu.max) does not. */
uint32_t processors_allowed(void);

#endif
