/* Functions of known shares: 74, 20, 5, 1 % of the loops, without hooks, in threads; one of them through libc. The loops keep to a
 * register, as a processor may be faster in one of several that are in memory, and slower in it a moment later.
 *
 *   shares [ROUNDS [THREADS]]      so many rounds in each thread
 *
 * With -DROUND_NS_MIN=40000 all of them again until one has taken so long of its CPU time: enough samples on any processor. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPIN(name, loops)                                                                                                          \
	__attribute__((noinline, noclone, aligned(64))) static void name(void)                                                     \
	{                                                                                                                          \
		for (long i = 0; i < (loops); i++)                                                                                 \
			__asm__ volatile("" : "+r"(i));                                                                            \
	}
SPIN(share_1, 1000)
SPIN(share_5, 5000)
SPIN(share_20, 20000)
SPIN(share_74, 74000)

__attribute__((noinline)) static int by_number(const void *a, const void *b)
{
	share_1();
	return *(const int *)a - *(const int *)b;
}

#ifdef ROUND_NS_MIN
static bool is_too_early(long rounds)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec < rounds * ROUND_NS_MIN;
}
#else
#define is_too_early(rounds) false
#endif

__attribute__((noinline)) static void *work(void *count)
{
	long rounds = *(long *)count;

	do
		for (long i = 0; i < rounds; i++) {
			share_1();
			share_5();
			share_20();
			share_74();
		}
	while (is_too_early(rounds));
	return NULL;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 2000;
	int threads = argc > 2 ? atoi(argv[2]) : 0, numbers[64];
	pthread_t list[64];

	for (int i = 0; i < threads && i < 64; i++)
		pthread_create(&list[i], NULL, work, &rounds);
	for (int i = 0; i < threads && i < 64; i++)
		pthread_join(list[i], NULL);
	if (!threads)
		work(&rounds);
	for (int i = 0; i < 64; i++)
		numbers[i] = (i * 37) % 64;
	if (argc > 3 && !strcmp(argv[3], "sort"))
		for (int i = 0; i < 500; i++)
			qsort(numbers, 64, sizeof *numbers, by_number);
	return 0;
}
