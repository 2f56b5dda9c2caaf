/* Known durations: nap sleeps 20 ms, ten times; outer is nearly all of it, and has hardly any time of its own. */
#include <time.h>

#include "count.h"

static void nap(void)
{
	struct timespec pause_for = {0, 20000000};

	CALLED();
	nanosleep(&pause_for, 0);
}

static void outer(void)
{
	CALLED();
	for (int i = 0; i < 10; i++)
		nap();
}

int main(void)
{
	struct timespec began, ended;

	CALLED();
	clock_gettime(CLOCK_MONOTONIC, &began);
	outer();
	clock_gettime(CLOCK_MONOTONIC, &ended);
	count_line("ns", "outer", (unsigned long)((ended.tv_sec - began.tv_sec) * 1000000000 + ended.tv_nsec - began.tv_nsec));
	count_print();
	return 0;
}
