/* becomes N [threads]: becomes itself, N times, after a moment of work each time; with threads, by one of three threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char **arguments;
static int left;

__attribute__((noinline)) static unsigned work(unsigned i)
{
	__asm__ volatile("" : "+r"(i));
	return i * 3;
}

static void *works(void *unused)
{
	for (;;) {
		for (unsigned i = 0; i < 100000; i++)
			work(i);
		usleep(100);
	}
	return unused;
}

static void *becomes(void *unused)
{
	struct timespec pause = {0, rand() % 20 * 1000000};
	char number[16];

	nanosleep(&pause, 0);
	snprintf(number, sizeof number, "%d", left - 1);
	execl("/proc/self/exe", arguments[0], number, arguments[2], (char *)0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];

	arguments = argv;
	left = atoi(argv[1]);
	srand((unsigned)(getpid() + left * 77));
	if (!left) {
		puts("came to its end");
		return 0;
	}
	if (argc > 2) {
		pthread_create(&threads[0], 0, works, 0);
		pthread_create(&threads[1], 0, works, 0);
		pthread_create(&threads[2], 0, becomes, 0);
		if (left % 2)
			works(0);
		pthread_join(threads[2], 0);
	}
	for (unsigned i = 0; i < 10000000; i++)
		work(i);
	becomes(0);
	return 1;
}
