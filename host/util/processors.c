/* processors: asks the kernel (processors.h). */
#include "util/processors.h"

#include <sched.h>
#include <unistd.h>

uint32_t processors_allowed(void)
{
	long all = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	/* The call fails on machines with more processors than the set has room for. */
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		all = CPU_COUNT(&set);
	return all > 1 ? (uint32_t)all : 1;
}
