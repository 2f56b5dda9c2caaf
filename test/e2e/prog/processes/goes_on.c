/* Threads that call without a pause, threads that call now and then, and threads that begin and end: goes_on MILLISECONDS. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "../count.h"

static atomic_bool ends;

static __attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("");
}
static __attribute__((noinline)) void calls(void)
{
	leaf();
	leaf();
}
UNHOOKED static void pause_ns(long ns)
{
	nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}
UNHOOKED static void *works(void *unused)
{
	while (!ends)
		calls();
	return unused;
}
UNHOOKED static void *wakes(void *unused)
{
	while (!ends) {
		calls();
		pause_ns(300000);
	}
	return unused;
}
UNHOOKED static void *once(void *unused)
{
	calls();
	return unused;
}
UNHOOKED static void *begins(void *unused)
{
	pthread_t thread;

	while (!ends && !pthread_create(&thread, NULL, once, NULL))
		pthread_join(thread, NULL);
	return unused;
}
UNHOOKED int main(int argc, char **argv)
{
	pthread_t threads[26];

	for (int i = 0; i < 26; i++)
		if (pthread_create(&threads[i], NULL, i < 4 ? works : i < 24 ? wakes : begins, NULL))
			return 2;
	pause_ns(argc > 1 ? atol(argv[1]) * 1000000 : 0);
	ends = true;
	for (int i = 0; i < 26; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
