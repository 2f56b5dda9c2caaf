/* Functions that are short and called often, beside others that are not, and how often each was really called.
 *
 *     throttled TURNS [THREADS [FORKS [kill|twice]]]
 *
 * leaf and inner are called in a row; sum_to calls itself, is_even and is_odd each other, so that some call of theirs is often
 * open; slow is called once a turn. Threads do the same beside it. Then children are forked, one after the other, which go on with
 * a quarter of the turns: their counts are lines of their own. Killed, it has no end of its own. Twice: children do nothing but
 * fork theirs. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "../count.h"

enum { LEAVES = 2000, DEEP = 40 };

static volatile unsigned sink;

/* A child counts what it calls itself. */
UNHOOKED static void count_anew(void)
{
	for (struct counter *counter = count_first; counter; counter = counter->next)
		counter->calls = 0;
}

static void inner(unsigned value)
{
	CALLED();
	sink = value;
}

static void leaf(unsigned value)
{
	CALLED();
	inner(value);
}

static unsigned sum_to(unsigned n)
{
	CALLED();
	return n ? n + sum_to(n - 1) : sink & 1;
}

static unsigned is_even(unsigned n);
static unsigned is_odd(unsigned n)
{
	CALLED();
	return n ? is_even(n - 1) + (sink & 1) : 0;
}
static unsigned is_even(unsigned n)
{
	CALLED();
	return n ? is_odd(n - 1) + (sink & 1) : 1;
}

static void slow(void)
{
	CALLED();
	for (unsigned i = 0; i < 100000; i++)
		sink += i;
}

static void turn(void)
{
	CALLED();
	for (unsigned i = 0; i < LEAVES; i++)
		leaf(i);
	sink += sum_to(DEEP) + is_even(DEEP);
	slow();
}

static void *run(void *argument)
{
	CALLED();
	for (size_t i = (size_t)argument; i; i--)
		turn();
	return 0;
}

static void pause_briefly(void)
{
	CALLED();
	nanosleep(&(struct timespec){0, 30000000}, 0);
}

int main(int argc, char **argv)
{
	size_t turns = argc > 1 ? strtoul(argv[1], 0, 10) : 100;
	unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : 0, forks = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	pthread_t list[64];

	CALLED();
	for (unsigned i = 0; i < threads && i < 64; i++)
		if (pthread_create(&list[i], 0, run, (void *)turns))
			abort();
	run((void *)turns);
	for (unsigned i = 0; i < threads && i < 64; i++)
		pthread_join(list[i], 0);
	pause_briefly();
	count_print();
	for (unsigned i = 0; i < forks; i++) {
		pid_t child = fork();

		if (!child) {
			if (argc > 4 && !strcmp(argv[4], "twice") && (child = fork())) {
				waitpid(child, 0, 0);
				_exit(0);
			}
			count_anew();
			run((void *)(turns / 4));
			count_print();
			_exit(0);
		}
		waitpid(child, 0, 0);
	}
	if (argc > 4 && !strcmp(argv[4], "kill"))
		kill(getpid(), SIGKILL);
	return 0;
}
