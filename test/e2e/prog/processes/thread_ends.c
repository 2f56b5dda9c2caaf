/* The ways for a thread to end, and one that does not: it is still inside its calls when the program exits. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "../count.h"

static sem_t parked_now;
static volatile unsigned sink;

static void leaf(void)
{
	CALLED();
	sink++;
}

static void some(void)
{
	CALLED();
	for (int i = 0; i < 100; i++)
		leaf();
}

static void parked(void)
{
	CALLED();
	some();
	sem_post(&parked_now);
	for (;;)
		pause();
}

static void leave(void)
{
	CALLED();
	some();
	pthread_exit(0);
}

static void *returns(void *argument)
{
	CALLED();
	pthread_setname_np(pthread_self(), "returns");
	some();
	return argument;
}

static void *exits(void *argument)
{
	CALLED();
	pthread_setname_np(pthread_self(), "exits");
	leave();
	return argument;
}

static void *cancelled(void *argument)
{
	CALLED();
	pthread_setname_np(pthread_self(), "cancelled");
	parked();
	return argument;
}

static void *runs_on(void *argument)
{
	CALLED();
	pthread_setname_np(pthread_self(), "runs_on");
	parked();
	return argument;
}

int main(void)
{
	pthread_t thread;

	CALLED();
	sem_init(&parked_now, 0, 0);
	if (pthread_create(&thread, 0, returns, 0) || pthread_join(thread, 0))
		abort();
	if (pthread_create(&thread, 0, exits, 0) || pthread_join(thread, 0))
		abort();
	if (pthread_create(&thread, 0, cancelled, 0) || sem_wait(&parked_now) || pthread_cancel(thread) || pthread_join(thread, 0))
		abort();
	if (pthread_create(&thread, 0, runs_on, 0) || sem_wait(&parked_now))
		abort();
	count_print();
	return 0;
}
