/* linux SECONDS [MICROSECONDS [FLUSHES [TURNS]]]: runs for so long, or until SIGUSR1, and says how often any function was found;
 * with flushes, so often, and flushes each time. With turns, it starts and stops sampling around each round of so many, and is as
 * long in cold() between them. */
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

/* Returns the seconds of the rounds. */
static double sample_rounds(unsigned turns, double until, u32 microseconds)
{
	double rounds = 0;

	while (!ended && now() < until) {
		double began = now();

		osProfileStart(microseconds);
		ratio_round(turns);
		osProfileStop();
		rounds += now() - began;
		cold(4 * turns);
	}
	return rounds;
}

/* Returns the seconds of sampling. */
static double sample_all(double seconds, u32 microseconds, int flushes)
{
	double began = now();

	osProfileStart(microseconds);
	do {
		double until = now() + seconds;

		while (!ended && now() < until)
			ratio_round(2000);
		if (flushes)
			osProfileFlush();
	} while (--flushes > 0 && !ended);
	osProfileStop();
	return now() - began;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	u32 microseconds = argc > 2 ? (u32)atoi(argv[2]) : 1000;
	int flushes = argc > 3 ? atoi(argv[3]) : 0;
	unsigned long sum = 0;
	u32 count = osProfileSegments(segments, SEGMENTS);

	signal(SIGUSR1, end);
	osProfileInit(segments, count);
	if (argc > 4)
		seconds = sample_rounds((unsigned)atoi(argv[4]), now() + seconds, microseconds);
	else
		seconds = sample_all(seconds, microseconds, flushes);
	for (u32 i = 0; i < count; i++)
		for (u32 k = 0; k < segments[i].histo_size; k++)
			sum += segments[i].histo_base[k];
	printf("left %lu in %.0f ms\n", sum, 1e3 * seconds);
	return 0;
}
