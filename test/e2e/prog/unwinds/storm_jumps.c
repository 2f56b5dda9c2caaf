/* A timer every 50 µs whose handler is instrumented, over a loop that jumps out of two calls and goes on, with pauses, so that a
 * busy machine has the time to write it down: storm_jumps MILLISECONDS, and until there were as many signals */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "../count.h"

static volatile unsigned sink;
static volatile long fired;
static jmp_buf back;

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

static void thrower(void)
{
	CALLED();
	longjmp(back, 1);
}

static void between(void)
{
	CALLED();
	thrower();
	sink++;
}

static void after(void)
{
	CALLED();
	sink++;
}

static void catcher(void)
{
	CALLED();
	for (volatile int i = 0; i < 100; i++) {
		if (!setjmp(back))
			between();
		after();
	}
}

UNHOOKED static long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	long least = argc > 1 ? strtol(argv[1], 0, 10) : 1000, until = now_us() + 1000 * least;

	CALLED();
	signal(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, 0);
	while (now_us() < until || fired < least) {
		long after;

		catcher();
		for (after = now_us() + 200; now_us() < after;)
			;
	}
	setitimer(ITIMER_REAL, &never, 0);
	count_print();
	return 0;
}
