/* priority: changes the priority of threads (priority.h). */
#include "util/priority.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS 100000u /* the smallest slice that the system accepts */

/* The layout of sched_setattr(2); libc's headers have it only since 2.41. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

void priority_raise(int steps)
{
	struct attributes attributes = {.size = sizeof attributes};
	int nice;

	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) - steps);
	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno || sched_getscheduler(0) != SCHED_OTHER)
		return;
	attributes.policy = SCHED_OTHER;
	attributes.nice = nice;
	attributes.runtime = SLICE_NS;
	syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void priority_lower(int steps)
{
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + steps);
}
