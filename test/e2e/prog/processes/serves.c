/* A server whose requests are quick, but for some: serves REQUESTS SLOW_EVERY SLOW_MS [THREADS [fork | kill]]
 *
 * Each thread serves so many, and pauses between two; every SLOW_EVERY-th calls slow, which calls step 50 times and sleeps SLOW_MS
 * in all.
 * fork: a child serves as many before the program does. kill: it kills itself in the middle of the last one. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "../count.h"

#define STEPS 50

static unsigned long requests, slow_every, slow_ms;
static int kills;
static __thread volatile unsigned sink;

static void parse(unsigned long number)
{
	CALLED();
	sink += (unsigned)number;
}

static void step(void)
{
	struct timespec pause = {(time_t)(slow_ms / STEPS / 1000), (long)(slow_ms * 1000000 / STEPS % 1000000000)};

	CALLED();
	nanosleep(&pause, 0);
}

static void slow(void)
{
	CALLED();
	for (int i = 0; i < STEPS; i++)
		step();
}

static void handle(unsigned long number)
{
	CALLED();
	parse(number);
	if (kills && number == requests) {
		count_print();
		kill(getpid(), SIGKILL);
	}
	if (number % slow_every == 0)
		slow();
	parse(number);
}

static void *serve(void *unused)
{
	struct timespec pause = {0, 50000};

	CALLED();
	for (unsigned long number = 1; number <= requests; number++) {
		handle(number);
		nanosleep(&pause, 0);
	}
	return unused;
}

int main(int argc, char **argv)
{
	unsigned long threads = argc > 4 ? strtoul(argv[4], 0, 10) : 1;
	pthread_t others[64];

	CALLED();
	requests = strtoul(argv[1], 0, 10);
	slow_every = strtoul(argv[2], 0, 10);
	slow_ms = strtoul(argv[3], 0, 10);
	if (argc > 5 && argv[5][0] == 'f') {
		pid_t child = fork();

		if (!child) {
			serve(0);
			count_print();
			_exit(0);
		}
		waitpid(child, 0, 0);
	}
	kills = argc > 5 && argv[5][0] == 'k';
	for (unsigned long i = 1; i < threads && i < 64; i++)
		pthread_create(&others[i], 0, serve, 0);
	serve(0);
	for (unsigned long i = 1; i < threads && i < 64; i++)
		pthread_join(others[i], 0);
	count_print();
	return 0;
}
