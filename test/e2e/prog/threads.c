/* Several threads at a time, each with a number of calls of its own: "thread NAME FUNCTION CALLS" beside the totals. */
#include <pthread.h>
#include <stdlib.h>

#include "count.h"

enum { THREADS = 8 };

static volatile unsigned sink;

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
	for (unsigned i = 0; i <= index; i++)
		work(10000);
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

		snprintf(what, sizeof what, "thread worker-%u", i);
		count_line(what, "run", 1);
		count_line(what, "work", i + 1);
		count_line(what, "leaf", (i + 1) * 10000ul);
	}
	count_print();
	return 0;
}
