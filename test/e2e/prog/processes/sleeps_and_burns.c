/* sleeps_and_burns SECONDS [THREADS]: sleeps, and computes as long, each in a function of its own, in the main thread and in
 * others; says what it takes itself for. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds;

__attribute__((noinline)) void sleeps(void)
{
	usleep((useconds_t)(seconds * 1e6));
}

/* By its own CPU time. */
__attribute__((noinline)) void burns(void)
{
	struct timespec now, until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &until);
	until.tv_nsec += (long)(seconds * 1e9);
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_sec < until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec < until.tv_nsec));
}

static void *run(void *argument)
{
	sleeps();
	burns();
	return argument;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t threads[16];

	seconds = argc > 1 ? atof(argv[1]) : 0.2;
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	run(NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", (long)getpid());
	return 0;
}
