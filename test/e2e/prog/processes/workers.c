/* A server that has a new worker every 10 ms, as one for each client: each works for so many seconds, and ends.
 *
 * workers SECONDS      "fine", when all that they have worked out was right */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS 400

__attribute__((noipa)) static unsigned step(unsigned n)
{
	return n * 3 + 1;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns whether all was right. */
__attribute__((noipa)) static int work(double seconds)
{
	double end = now() + seconds;
	int right = 1;

	while (now() < end) {
		for (unsigned i = 0; i < 100; i++)
			right &= step(i) == i * 3 + 1;
		usleep(2000);
	}
	return right;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, end = now() + seconds;
	int right = 1, status;

	for (int i = 0; now() < end && i < WORKERS; i++) {
		pid_t child = fork();

		if (!child)
			_exit(!work(seconds));
		right &= work(0.01);
	}
	while (wait(&status) > 0)
		right &= status == 0;
	puts(right ? "fine" : "wrong");
	return 0;
}
