/* Two threads that sleep and work in turns, until somebody ends them. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "../count.h"

static void nap(void)
{
	struct timespec pause_for = {0, 10000000};

	CALLED();
	nanosleep(&pause_for, 0);
}

static void work(void)
{
	CALLED();
	for (volatile int i = 0; i < 1000000; i++)
		;
}

static void *turns(void *unused)
{
	CALLED();
	for (;;) {
		nap();
		work();
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	CALLED();
	alarm(60);
	if (pthread_create(&thread, NULL, turns, NULL))
		abort();
	turns(NULL);
	return 0;
}
