/* A program that stops its own recording and goes on: stops flat|deep|threads|often. What is called meanwhile is not counted. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "../count.h"
#include "dwell/dwell.h"

static volatile unsigned sink;
static int on = 1;

UNHOOKED static void stop(void)
{
	dwell_stop();
	on = 0;
}

UNHOOKED static void start(void)
{
	on = 1;
	dwell_start();
}

UNHOOKED static void wait_ms(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, 0);
}

static void leaf(void)
{
	if (on)
		CALLED();
	sink++;
}

static void work(unsigned calls)
{
	if (on)
		CALLED();
	for (unsigned i = 0; i < calls; i++)
		leaf();
}

static void flat(void)
{
	CALLED();
	work(1000);
	stop();
	work(500);
	wait_ms(200);
	start();
	work(100);
}

static void inner(void)
{
	CALLED();
	work(10);
	stop();
	work(20);
}

static void middle(void)
{
	CALLED();
	inner();
	leaf();
}

static void deep(void)
{
	CALLED();
	for (int i = 0; i < 100; i++) {
		middle();
		start(); /* inner and middle are left by now */
		work(5);
	}
}

static pthread_barrier_t barrier;

static void *turn(void *argument)
{
	CALLED();
	for (int i = 0; i < 20; i++) {
		work(1000);
		pthread_barrier_wait(&barrier);
		/* main stops it */
		pthread_barrier_wait(&barrier);
		work(500);
		pthread_barrier_wait(&barrier);
		/* main starts it */
		pthread_barrier_wait(&barrier);
	}
	return argument;
}

static void threads(void)
{
	pthread_t thread[4];

	CALLED();
	pthread_barrier_init(&barrier, 0, 5);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], 0, turn, 0);
	for (int i = 0; i < 20; i++) {
		pthread_barrier_wait(&barrier);
		stop();
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		start();
		pthread_barrier_wait(&barrier);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], 0);
}

static void often(void)
{
	CALLED();
	for (int i = 0; i < 700; i++) {
		work((unsigned)i % 7);
		stop();
		stop();
		work(1);
		start();
		start();
	}
}

int main(int argc, char **argv)
{
	CALLED();
	switch (argc > 1 ? argv[1][0] : 0) {
	case 'f':
		flat();
		break;
	case 'd':
		deep();
		break;
	case 't':
		threads();
		break;
	case 'o':
		often();
		break;
	default:
		return 2;
	}
	count_print();
	return 0;
}
