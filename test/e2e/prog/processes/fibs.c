/* fibs N THREADS: as many calls as there can be in little time, in each of so many threads at once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) long fib(long n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void *run(void *n)
{
	return (void *)fib((long)n);
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t threads[64];
	long sum = 0;

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, (void *)(long)atoi(argv[1]));
	for (int i = 0; i < count; i++) {
		void *result;

		pthread_join(threads[i], &result);
		sum += (long)result;
	}
	printf("%ld\n", sum);
	return 0;
}
