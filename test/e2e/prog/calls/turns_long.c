/* A function that is short and called often, and later takes long: work. In the end, how much of the CPU time it took at the least
 * and at the most, in percent. */
#include <stdio.h>
#include <time.h>

#define SOME __attribute__((noinline))
#define SHORT_NS 600000000u
#define LONG_NS 2000000000u

static unsigned long long now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}

SOME unsigned work(unsigned x, unsigned turns)
{
	for (unsigned i = 0; i < turns; i++) {
		__asm__ volatile("" : "+r"(x));
		x = x * 2654435761u ^ x >> 7;
	}
	return x;
}

SOME unsigned drive(unsigned x, unsigned turns, unsigned calls, unsigned long long ns)
{
	unsigned long long end = now_ns(CLOCK_MONOTONIC) + ns;

	while (now_ns(CLOCK_MONOTONIC) < end)
		for (unsigned i = 0; i < calls; i++)
			x = work(x, turns);
	return x;
}

int main(void)
{
	unsigned x = drive(1, 2, 1000, SHORT_NS);
	double first = (double)now_ns(CLOCK_PROCESS_CPUTIME_ID), all;

	x = drive(x, 300000, 1, LONG_NS);
	all = (double)now_ns(CLOCK_PROCESS_CPUTIME_ID);
	printf("work %.2f to 100\n", 100 * (all - first) / all);
	return x == 1;
}
