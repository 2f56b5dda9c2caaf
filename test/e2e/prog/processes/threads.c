/* Several threads at a time, each with a number of calls of its own: "thread TID FUNCTION CALLS" beside the totals. The last one
 * lives long enough for its name to be seen, too. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#include "../count.h"

#ifndef TURNS
#define TURNS 10000
#endif
enum { THREADS = 8 };

static volatile unsigned sink;
static int tids[THREADS];

static void leaf(unsigned value)
{
	CALLED();
	sink += value;
}

static void work(unsigned turns)
{
	CALLED();
	for (unsigned i = 0; i < turns; i++)
		leaf(i);
}

static void *run(void *argument)
{
	unsigned index = (unsigned)(size_t)argument;
	char name[32];

	CALLED();
	snprintf(name, sizeof name, "worker-%u", index);
	pthread_setname_np(pthread_self(), name);
	tids[index] = (int)syscall(SYS_gettid);
	for (unsigned i = 0; i <= index; i++)
		work(TURNS);
	if (index == THREADS - 1)
		nanosleep(&(struct timespec){0, 300000000}, 0);
	return 0;
}

int main(void)
{
	pthread_t threads[THREADS];

	CALLED();
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], 0, run, (void *)i))
			abort();
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	for (unsigned i = 0; i < THREADS; i++) {
		char what[64];

		snprintf(what, sizeof what, "thread %d", tids[i]);
		count_line(what, "run", 1);
		count_line(what, "work", i + 1);
		count_line(what, "leaf", (i + 1) * (unsigned long)TURNS);
	}
	count_line("thread worker-7", "leaf", THREADS * (unsigned long)TURNS);
	count_line("thread worker-7", "work", THREADS);
	count_line("thread worker-7", "run", 1);
	count_print();
	return 0;
}
