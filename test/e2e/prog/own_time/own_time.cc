/* Does one thing again and again, for which the agent works in the program's threads: own_time HOW TURNS [LIBRARY].
 *
 *     jump     longjmp out of two functions
 *     throw    an exception through a function with a destructor
 *     thread   threads that call one function
 *     open     dlopen and dlclose of LIBRARY
 *
 * Prints how many nanoseconds of CPU time the turns took, and how many of these were inside of functions: the kernel begins and
 * ends a thread when none of its functions runs. */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile long sum;
static jmp_buf here;

extern "C" {

__attribute__((noinline)) void thrower(int turn)
{
	sum = sum + turn;
	longjmp(here, 1);
}

__attribute__((noinline)) void middle(int turn)
{
	thrower(turn);
	sum = sum + 1;
}

static volatile unsigned long seed;

/* What the program does of its own: some 20 microseconds, in products that wait for each other. A store and a load of one place
 * take a cycle or five, as the processor is. */
__attribute__((noinline)) void worker(void)
{
	/* A loop that begins within its function's first five bytes would be run elsewhere, which is slower. */
	unsigned long product = seed;

	for (int i = 0; i < 14000; i++) {
		product = product * 6364136223846793005u + 1;
		__asm__ volatile("" : "+r"(product));
	}
	seed = product;
}

__attribute__((noinline)) void jump(int turn)
{
	if (!setjmp(here))
		middle(turn);
	worker();
}

struct counted {
	~counted() { sum = sum + 1; }
};

__attribute__((noinline)) void throws(int turn)
{
	counted one;

	if (turn >= 0)
		throw turn;
}

__attribute__((noinline)) void catches(int turn)
{
	try {
		throws(turn);
	} catch (int) {
		sum = sum + 1;
	}
	worker();
}

static long inside; /* of threads' functions */

static long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000l + time.tv_nsec;
}

static void *in_thread(void *unused)
{
	long began = now(CLOCK_THREAD_CPUTIME_ID);

	worker();
	__atomic_fetch_add(&inside, now(CLOCK_THREAD_CPUTIME_ID) - began, __ATOMIC_RELAXED);
	return unused;
}

__attribute__((noinline)) void start(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, 0, in_thread, 0))
		pthread_join(thread, 0);
}

__attribute__((noinline)) void open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	dlclose(library);
	worker();
}

}

int main(int argc, char **argv)
{
	int turns = argc > 2 ? atoi(argv[2]) : 0;
	long began = now(CLOCK_PROCESS_CPUTIME_ID), own_began = now(CLOCK_THREAD_CPUTIME_ID);

	for (int turn = 0; turn < turns; turn++) {
		if (!strcmp(argv[1], "jump"))
			jump(turn);
		else if (!strcmp(argv[1], "throw"))
			catches(turn);
		else if (!strcmp(argv[1], "thread"))
			start();
		else
			open_library(argv[3]);
	}
	inside += now(CLOCK_THREAD_CPUTIME_ID) - own_began;
	printf("took %ld\ninside %ld\n", now(CLOCK_PROCESS_CPUTIME_ID) - began, inside);
	return 0;
}
