/* The processors that the process may run on, not those of the machine. */
#include "check.h"

#include <sched.h>

#include "util/processors.h"

TEST(of_this_process)
{
	cpu_set_t all, one;
	int cpu = 0;

	CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
	CHECK_EQ(processors_allowed(), CPU_COUNT(&all));
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
	CHECK_EQ(processors_allowed(), 1);
	CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
	RUN(of_this_process);
	return tap_done();
}
