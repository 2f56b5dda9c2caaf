/* Functions that are off the CPU, each in its own way, and what the kernel itself says of the CPU time and the switches of each.
 *
 *   off_cpu             sleeps, waits for a mutex and for a pipe, and has more busy threads than there are processors
 *   off_cpu switches N  two threads that hand a byte to each other, N times
 *   off_cpu children    a process that sleeps and one that does not
 *   off_cpu turns       sleeps and makes many calls, in turns */
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../count.h"

struct spent {
	unsigned long wall_ns, cpu_ns, switches;
};

UNHOOKED static unsigned long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (unsigned long)time.tv_sec * 1000000000 + (unsigned long)time.tv_nsec;
}

UNHOOKED static struct spent begin(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (struct spent){
		now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID), (unsigned long)(usage.ru_nvcsw + usage.ru_nivcsw)};
}

UNHOOKED static void add(struct spent *sum, struct spent since)
{
	struct spent then = begin();

	__atomic_fetch_add(&sum->wall_ns, then.wall_ns - since.wall_ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->cpu_ns, then.cpu_ns - since.cpu_ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->switches, then.switches - since.switches, __ATOMIC_RELAXED);
}

UNHOOKED static void tell(const char *function, const struct spent *spent)
{
	count_line("wall", function, spent->wall_ns);
	count_line("cpu", function, spent->cpu_ns);
	count_line("switches", function, spent->switches);
}

static struct spent napping, spinning, locking, reading, handing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2], back[2];

static void nap(void)
{
	struct timespec pause_for = {0, 10000000};
	struct spent since = begin();

	CALLED();
	nanosleep(&pause_for, 0);
	add(&napping, since);
}

/* 100 ms of CPU, however long that takes. */
static void *spin(void *unused)
{
	struct spent since = begin();

	CALLED();
	while (now(CLOCK_THREAD_CPUTIME_ID) - since.cpu_ns < 100000000)
		;
	add(&spinning, since);
	return unused;
}

static void *wait_for_lock(void *unused)
{
	struct spent since = begin();

	CALLED();
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	add(&locking, since);
	return unused;
}

static void *wait_for_byte(void *unused)
{
	struct spent since = begin();
	char byte;

	CALLED();
	if (read(ends[0], &byte, 1) != 1)
		abort();
	add(&reading, since);
	return unused;
}

static void run(unsigned count, void *(*function)(void *), void (*meanwhile)(void))
{
	pthread_t threads[64];

	CALLED();
	for (unsigned i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, function, NULL);
	if (meanwhile)
		meanwhile();
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void unlock_late(void)
{
	CALLED();
	nap();
	nap();
	nap();
	pthread_mutex_unlock(&mutex);
}

static void write_late(void)
{
	CALLED();
	nap();
	nap();
	nap();
	if (write(ends[1], "x", 1) != 1)
		abort();
}

static void hand(int from, int to, unsigned long times)
{
	struct spent since = begin();
	char byte = 0;

	CALLED();
	for (; times; times--)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			abort();
	add(&handing, since);
}

static unsigned long hands;

static void *other_hand(void *unused)
{
	CALLED();
	hand(back[0], ends[1], hands);
	return unused;
}

static void this_hand(void)
{
	CALLED();
	hand(ends[0], back[1], hands);
}

static void children(void)
{
	CALLED();
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();

		if (!child) {
			if (i)
				nap();
			else
				spin(NULL);
			tell(i ? "nap" : "spin", i ? &napping : &spinning);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void small(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	unsigned busy = 2 * (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	CALLED();
	if (pipe(ends) < 0 || pipe(back) < 0)
		abort();
	if (argc > 1 && !strcmp(argv[1], "children")) {
		children();
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "switches")) {
		hands = strtoul(argv[2], NULL, 10);
		run(1, other_hand, this_hand);
		tell("hand", &handing);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "turns")) {
		for (int i = 0; i < 40; i++) {
			nap();
			for (int k = 0; k < 100000; k++)
				small();
		}
		tell("nap", &napping);
		return 0;
	}
	pthread_mutex_lock(&mutex);
	run(1, wait_for_lock, unlock_late);
	run(1, wait_for_byte, write_late);
	run(busy < 64 ? busy : 64, spin, NULL);
	tell("nap", &napping);
	tell("wait_for_lock", &locking);
	tell("wait_for_byte", &reading);
	tell("spin", &spinning);
	count_print();
	return 0;
}
