/* Calls the functions of rooms.S, one after another, on two threads, until SIGTERM; then prints "wrong" and how many returned what
 * they should not. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

typedef unsigned room(unsigned);
extern room *const rooms[ROOMS];

static volatile sig_atomic_t is_over;
static unsigned long wrong;

static void end(int number)
{
	(void)number;
	is_over = 1;
}

static void *work(void *none)
{
	unsigned long bad = 0;

	while (!is_over)
		for (unsigned i = 0; i < ROOMS; i++)
			bad += rooms[i](i & 1) != i + 0x01020304 + (i & 1 ? 7 : 0);
	__atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
	return none;
}

int main(void)
{
	pthread_t threads[2];

	signal(SIGTERM, end);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	printf("wrong %lu\n", wrong);
	return 0;
}
