/* A timer every 100 µs whose handler is instrumented, over a loop of short calls: storm MILLISECONDS */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "count.h"

static volatile unsigned sink;

static void from_handler(void)
{
	CALLED();
	sink++;
}

static void on_timer(int number)
{
	CALLED();
	(void)number;
	from_handler();
	from_handler();
}

static void leaf(void)
{
	CALLED();
	sink++;
}

static void burst(void)
{
	CALLED();
	for (int i = 0; i < 1000; i++)
		leaf();
}

UNHOOKED static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	long until = now_ms() + (argc > 1 ? atol(argv[1]) : 1000);

	CALLED();
	signal(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, 0);
	while (now_ms() < until)
		burst();
	setitimer(ITIMER_REAL, &never, 0);
	count_print();
	return 0;
}
