/* A timer every 100 µs whose handler is instrumented, over a loop of short calls: storm MILLISECONDS [PAUSE]
 *
 * It goes on until there were as many signals, too: on a machine that gives it no processor there are few in that time.
 * After each thousand calls it spins for PAUSE microseconds, 300 unless said otherwise: a loop of nothing but calls makes 50
 * million events a second, and whether those can be written is the machine's question. 0 asks it. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "../count.h"

static volatile unsigned sink;
static volatile long fired;

static void from_handler(void)
{
	CALLED();
	sink++;
}

static void on_timer(int number)
{
	CALLED();
	(void)number;
	fired++;
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

UNHOOKED static long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	long least = argc > 1 ? strtol(argv[1], 0, 10) : 1000, until = now_us() + 1000 * least;
	long pause_us = argc > 2 ? strtol(argv[2], 0, 10) : 300;

	CALLED();
	signal(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, 0);
	while (now_us() < until || fired < least) {
		long after;

		burst();
		for (after = now_us() + pause_us; now_us() < after;)
			;
	}
	setitimer(ITIMER_REAL, &never, 0);
	count_print();
	return 0;
}
