/* linux SECONDS [MICROSECONDS [FLUSHES]]: runs for so long, or until SIGUSR1, and says how often any function was found; with
 * flushes, so often, and flushes each time. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ultra64.h>

#include "ratio.h"

/* Fewer: the program's own text alone. */
#ifndef SEGMENTS
#define SEGMENTS OSPROF_SEGMENTS_MAX
#endif

static OSProf segments[OSPROF_SEGMENTS_MAX];
static volatile sig_atomic_t ended;

static void end(int number)
{
	(void)number;
	ended = 1;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, until;
	int flushes = argc > 3 ? atoi(argv[3]) : 0;
	unsigned long sum = 0;
	u32 count = osProfileSegments(segments, SEGMENTS);

	signal(SIGUSR1, end);
	osProfileInit(segments, count);
	osProfileStart(argc > 2 ? (u32)atoi(argv[2]) : 1000);
	do {
		until = now() + seconds;
		while (!ended && now() < until)
			ratio_round(2000);
		if (flushes)
			osProfileFlush();
	} while (--flushes > 0 && !ended);
	osProfileStop();
	for (u32 i = 0; i < count; i++)
		for (u32 k = 0; k < segments[i].histo_size; k++)
			sum += segments[i].histo_base[k];
	printf("left %lu\n", sum);
	return 0;
}
