/* brief COUNT MS fork|thread: children or threads, one after the other, that work for MS in brief() and end. Prints how long all of
 * it was on a CPU, as the system counts it, in seconds. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double life_ns;

__attribute__((noipa)) static void brief(void)
{
	struct timespec time;

	do {
		for (long i = 0; i < 200000; i++)
			__asm__ volatile("" : "+r"(i));
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	} while ((double)time.tv_sec * 1e9 + (double)time.tv_nsec < life_ns);
}

static void *thread(void *unused)
{
	brief();
	return unused;
}

static double cpu_s(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100;
	int threads = argc > 3 && !strcmp(argv[3], "thread");
	pthread_t one;

	life_ns = (argc > 2 ? atof(argv[2]) : 5) * 1e6;
	for (long i = 0; i < count; i++)
		if (threads && pthread_create(&one, NULL, thread, NULL) == 0) {
			pthread_join(one, NULL);
		} else if (!threads) {
			pid_t child = fork();

			if (child == 0) {
				brief();
				_exit(0);
			}
			waitpid(child, NULL, 0);
		}
	printf("cpu %.4f\n", cpu_s(RUSAGE_SELF) + cpu_s(RUSAGE_CHILDREN));
	return 0;
}
