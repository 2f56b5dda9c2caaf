/* Threads that hardly live, 200 or as many as are asked for: by fours, so that some run at a time and their numbers and stacks are
 * used again. */
#include <pthread.h>
#include <stdlib.h>

#include "../count.h"

static volatile unsigned sink;

static void touch(void)
{
	CALLED();
	sink++;
}

static void *run(void *argument)
{
	CALLED();
	for (int i = 0; i < 10; i++)
		touch();
	return argument;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], 0, 10) : 200;

	CALLED();
	for (long round = 0; round < count / 4; round++) {
		pthread_t threads[4];

		for (int i = 0; i < 4; i++)
			if (pthread_create(&threads[i], 0, run, 0))
				abort();
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], 0);
	}
	count_print();
	return 0;
}
