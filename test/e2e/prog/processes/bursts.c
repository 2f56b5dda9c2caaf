/* bursts ROUNDS MS WAIT_US HOW: works for MS, one half in early() and one in late(), and waits, again and again: by sleep, or by a
 * pipe that a thread writes to. Prints the share of early() in both, by the CPU's clock; of sleep also how long all its code took,
 * and how long it slept, by the clock on the wall without what it waited for a CPU; in seconds. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long wait_us;
static int ask[2], answer[2];

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* How long this thread had no CPU and wanted one. */
static uint64_t ready_ns(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long ready = 0;

	if (file && fscanf(file, "%*u %llu", &ready) != 1)
		ready = 0;
	if (file)
		fclose(file);
	return ready;
}

#define SPIN(name)                                                                                                                 \
	__attribute__((noipa)) static uint64_t name(long loops)                                                                    \
	{                                                                                                                          \
		uint64_t begin = cpu_ns();                                                                                         \
		for (volatile long i = 0; i < loops; i++)                                                                          \
			;                                                                                                          \
		return cpu_ns() - begin;                                                                                           \
	}
SPIN(calibrate)
SPIN(early)
SPIN(late)

static void *answers(void *unused)
{
	char byte;

	while (read(ask[0], &byte, 1) == 1) {
		usleep((useconds_t)wait_us);
		if (write(answer[1], &byte, 1) != 1)
			break;
	}
	return unused;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 100, loops = 2000000;
	double half_ns = (argc > 2 ? atof(argv[2]) : 1) * 5e5;
	bool by_pipe = argc > 4 && !strcmp(argv[4], "pipe");
	uint64_t in_early = 0, in_late = 0, in_calibrate, not_slept = cpu_ns() + ready_ns(), begun = clock_ns(CLOCK_MONOTONIC);
	pthread_t thread;
	char byte = 0;

	wait_us = argc > 3 ? atol(argv[3]) : 1000;
	in_calibrate = calibrate(loops);
	loops = (long)((double)loops * half_ns / (double)in_calibrate);
	if (by_pipe && (pipe(ask) || pipe(answer) || pthread_create(&thread, NULL, answers, NULL)))
		return 1;
	for (long i = 0; i < rounds; i++) {
		in_early += early(loops);
		in_late += late(loops);
		if (!by_pipe)
			usleep((useconds_t)wait_us);
		else if (write(ask[1], &byte, 1) != 1 || read(answer[0], &byte, 1) != 1)
			return 1;
	}
	if (!by_pipe)
		printf("worked %.4f slept %.4f\n", (double)(in_calibrate + in_early + in_late) / 1e9,
			(double)(clock_ns(CLOCK_MONOTONIC) - begun - (cpu_ns() + ready_ns() - not_slept)) / 1e9);
	printf("early %.2f\n", 100.0 * (double)in_early / (double)(in_early + in_late));
	return 0;
}
