/* One function, whose first bytes run for a quarter of its time and whose last bytes for the rest: halves [ROUNDS]. Prints the CPU
 * time of both. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long cpu_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

#define ROOM __asm__ volatile(".rept 1000\n nop\n .endr")

__attribute__((noinline)) static void halves(long rounds)
{
	long begin = cpu_us(), middle;

	for (volatile long i = 0; i < rounds; i++)
		;
	ROOM;
	middle = cpu_us();
	ROOM;
	for (volatile long i = 0; i < 3 * rounds; i++)
		;
	printf("took first %ld\ntook last %ld\n", middle - begin, cpu_us() - middle);
}

int main(int argc, char **argv)
{
	halves(argc > 1 ? atol(argv[1]) : 100000000);
	return 0;
}
