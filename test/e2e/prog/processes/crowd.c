/* Many threads that all want a processor at once: crowd THREADS ROUNDS. Their functions take 10, 20, 30 and 40 % of the time. */
#include <pthread.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, aligned(64)))
#define THREADS_MAX 1000

static volatile unsigned long sink;
static long rounds;

static inline __attribute__((always_inline)) void work(long count)
{
	unsigned long x = sink;

	for (long i = 0; i < count; i++) {
		x = x * 6364136223846793005ul + 1;
		__asm__ volatile("" : "+r"(x));
	}
	sink = x;
}

NOINLINE static void tenth(void)
{
	work(1000);
}

NOINLINE static void fifth(void)
{
	work(2000);
}

NOINLINE static void three_tenths(void)
{
	work(3000);
}

NOINLINE static void two_fifths(void)
{
	work(4000);
}

NOINLINE static void *run(void *unused)
{
	for (long i = 0; i < rounds; i++) {
		tenth();
		fifth();
		three_tenths();
		two_fifths();
	}
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 300;
	pthread_t threads[THREADS_MAX];

	rounds = argc > 2 ? atol(argv[2]) : 800;
	if (count < 1 || count > THREADS_MAX)
		return 2;
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, run, NULL))
			return 1;
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
