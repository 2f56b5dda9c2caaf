/* bursts ROUNDS MS WAIT_US HOW: works for MS, one half in early() and one in late(), and waits, again and again: by sleep, or by a pipe
 * that a thread writes to. Prints the share of early() in both, by the CPU's clock. */
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

static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
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
	uint64_t in_early = 0, in_late = 0;
	pthread_t thread;
	char byte = 0;

	wait_us = argc > 3 ? atol(argv[3]) : 1000;
	loops = (long)((double)loops * half_ns / (double)calibrate(loops));
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
	printf("early %.2f\n", 100.0 * (double)in_early / (double)(in_early + in_late));
	return 0;
}
