/* Threads that call much and agree on a sum: prints it, always the same for a number, and exits with what that leaves by 5. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static long fib(long n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void *works(void *number)
{
	for (long i = 0; i < 20; i++) {
		long found = fib((long)number + i % 5);

		pthread_mutex_lock(&mutex);
		sum += found;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long rest = argc > 1 ? atol(argv[1]) % 5 : 0;
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, works, (void *)(rest + i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", sum);
	return (int)rest;
}
