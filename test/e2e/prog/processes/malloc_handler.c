/* malloc_handler SECONDS: allocates without a pause, and is mostly in a handler that interrupted that. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static volatile unsigned sum;

__attribute__((noinline)) static void step(unsigned i)
{
	sum += i;
}

static void handle(int number)
{
	(void)number;
	for (unsigned i = 0; i < 300000; i++)
		step(i);
}

int main(int argc, char **argv)
{
	time_t until = time(0) + (argc > 1 ? atoi(argv[1]) : 1);
	struct itimerval often = {{0, 5000}, {0, 5000}};

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, 0);
	while (time(0) < until) {
		void *memory[64];

		for (int i = 0; i < 64; i++)
			memory[i] = malloc(2000 + 100 * i);
		for (int i = 0; i < 64; i++)
			free(memory[i]);
	}
	puts("fine");
	return 0;
}
