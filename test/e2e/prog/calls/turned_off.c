/* A function that is short and called often, by two threads: turned_off MS. Whether it gave the same results all the time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SOME __attribute__((noinline))

static long until_ms;

SOME unsigned leaf(unsigned x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 2654435761u ^ x >> 7;
}

SOME unsigned rare(unsigned x)
{
	for (int i = 0; i < 2000; i++)
		x = leaf(x);
	return x;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *work(void *wrong)
{
	unsigned first = rare(1);

	while (now_ms() < until_ms)
		if (rare(1) != first)
			*(int *)wrong = 1;
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	int wrong[2] = {0};

	until_ms = now_ms() + (argc > 1 ? atol(argv[1]) : 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, work, &wrong[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	puts(wrong[0] | wrong[1] ? "wrong" : "right");
	return 0;
}
