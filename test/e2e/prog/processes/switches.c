/* Two processes wake each other by pipes, on the first two processors that this one may use, as often as they can: until it is
 * killed. Prints a line when they are about to begin. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static void stay_on(const cpu_set_t *allowed, int which)
{
	cpu_set_t one;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, allowed) && !which--) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof one, &one);
		}
}

int main(void)
{
	int there[2], back[2];
	cpu_set_t allowed;
	char byte = 0;

	if (pipe(there) || pipe(back) || sched_getaffinity(0, sizeof allowed, &allowed))
		return 1;
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stay_on(&allowed, 1);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		return 0;
	}
	stay_on(&allowed, 0);
	puts("begins");
	fflush(stdout);
	while (write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
		;
	return 0;
}
