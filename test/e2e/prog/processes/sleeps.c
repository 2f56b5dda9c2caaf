/* Known durations: nap sleeps 20 ms, ten times; outer is all of it. Prints how long outer takes as seen from within and from
 * without: in between is what is recorded, however long the machine stops somewhere. */
#include <time.h>

#include "../count.h"

static void nap(void)
{
	struct timespec pause_for = {0, 20000000};

	CALLED();
	nanosleep(&pause_for, 0);
}

UNHOOKED static unsigned long now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (unsigned long)time.tv_sec * 1000000000 + (unsigned long)time.tv_nsec;
}

static unsigned long within;

static void outer(void)
{
	unsigned long began = now_ns();

	CALLED();
	for (int i = 0; i < 10; i++)
		nap();
	within = now_ns() - began;
}

int main(void)
{
	unsigned long began, ended;

	CALLED();
	began = now_ns();
	outer();
	ended = now_ns();
	count_line("ns", "within", within);
	count_line("ns", "without", ended - began);
	count_print();
	return 0;
}
