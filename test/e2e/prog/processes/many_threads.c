/* Many threads, so many at a time: ./many_threads ALL AT_ONCE CALLS [PAUSE_MS]. Each is there until all of its row are, and makes
 * its calls. A pause behind each row. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static unsigned calls;

__attribute__((noinline)) static void leaf(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static void *run(void *argument)
{
	leaf(); /* it records now, and so do all the others */
	pthread_barrier_wait(&barrier);
	for (unsigned i = 1; i < calls; i++)
		leaf();
	return argument;
}

int main(int argc, char **argv)
{
	unsigned all = argc > 3 ? (unsigned)atoi(argv[1]) : 100, row = argc > 3 ? (unsigned)atoi(argv[2]) : 10;
	pthread_t *threads = calloc(row, sizeof *threads);
	pthread_attr_t attributes;

	calls = argc > 3 ? (unsigned)atoi(argv[3]) : 10;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	pthread_barrier_init(&barrier, NULL, row);
	for (unsigned done = 0; done + row <= all; done += row) {
		for (unsigned i = 0; i < row; i++)
			if (pthread_create(&threads[i], &attributes, run, NULL)) {
				perror("pthread_create");
				return 2;
			}
		for (unsigned i = 0; i < row; i++)
			pthread_join(threads[i], NULL);
		usleep(argc > 4 ? (unsigned)atoi(argv[4]) * 1000 : 0);
	}
	free(threads);
	printf("count main 1\ncount run %u\ncount leaf %u\n", all / row * row, all / row * row * calls);
	return 0;
}
