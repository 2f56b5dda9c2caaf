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

/* Of a function: from its first statement to its last, which is a little less than a call of it takes, and around the call, which
 * is a little more. Whoever has to give the processor up on the way into the function or out of it is off the CPU in the call, and
 * not within. */
struct spending {
	struct spent within, around;
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

UNHOOKED static void tell(const char *function, const struct spending *spending)
{
	count_line("wall", function, spending->within.wall_ns);
	count_line("cpu", function, spending->within.cpu_ns);
	count_line("wall_around", function, spending->around.wall_ns);
	count_line("cpu_around", function, spending->around.cpu_ns);
	count_line("switches", function, spending->around.switches);
}

static struct spending napping, spinning, locking, reading, handing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2], back[2];

/* A function and what its calls spent. */
struct measured {
	void *(*function)(void *unused);
	struct spending *spending;
};

UNHOOKED static void *measure(void *measured_as_void)
{
	const struct measured *measured = measured_as_void;
	struct spent since = begin();

	measured->function(NULL);
	add(&measured->spending->around, since);
	return NULL;
}

static void *nap(void *unused)
{
	struct timespec pause_for = {0, 10000000};
	struct spent since = begin();

	CALLED();
	nanosleep(&pause_for, 0);
	add(&napping.within, since);
	return unused;
}

/* 100 ms of CPU, however long that takes. */
static void *spin(void *unused)
{
	struct spent since = begin();

	CALLED();
	while (now(CLOCK_THREAD_CPUTIME_ID) - since.cpu_ns < 100000000)
		;
	add(&spinning.within, since);
	return unused;
}

static void *wait_for_lock(void *unused)
{
	struct spent since = begin();

	CALLED();
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	add(&locking.within, since);
	return unused;
}

static void *wait_for_byte(void *unused)
{
	struct spent since = begin();
	char byte;

	CALLED();
	if (read(ends[0], &byte, 1) != 1)
		abort();
	add(&reading.within, since);
	return unused;
}

static struct measured measured_nap = {nap, &napping}, measured_spin = {spin, &spinning};
static struct measured measured_wait_for_lock = {wait_for_lock, &locking}, measured_wait_for_byte = {wait_for_byte, &reading};

static void run(unsigned count, void *(*function)(void *), void *argument, void (*meanwhile)(void))
{
	pthread_t threads[64];

	CALLED();
	for (unsigned i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, function, argument);
	if (meanwhile)
		meanwhile();
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void unlock_late(void)
{
	CALLED();
	measure(&measured_nap);
	measure(&measured_nap);
	measure(&measured_nap);
	pthread_mutex_unlock(&mutex);
}

static void write_late(void)
{
	CALLED();
	measure(&measured_nap);
	measure(&measured_nap);
	measure(&measured_nap);
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
	add(&handing.within, since);
}

static unsigned long hands;

static void *other_hand(void *unused)
{
	struct spent since = begin();

	CALLED();
	hand(back[0], ends[1], hands);
	add(&handing.around, since);
	return unused;
}

static void this_hand(void)
{
	struct spent since = begin();

	CALLED();
	hand(ends[0], back[1], hands);
	add(&handing.around, since);
}

static void children(void)
{
	CALLED();
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();

		if (!child) {
			if (i)
				measure(&measured_nap);
			else
				measure(&measured_spin);
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
		run(1, other_hand, NULL, this_hand);
		tell("hand", &handing);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "turns")) {
		for (int i = 0; i < 40; i++) {
			measure(&measured_nap);
			for (int k = 0; k < 100000; k++)
				small();
		}
		tell("nap", &napping);
		return 0;
	}
	pthread_mutex_lock(&mutex);
	run(1, measure, &measured_wait_for_lock, unlock_late);
	run(1, measure, &measured_wait_for_byte, write_late);
	run(busy < 64 ? busy : 64, measure, &measured_spin, NULL);
	tell("nap", &napping);
	tell("wait_for_lock", &locking);
	tell("wait_for_byte", &reading);
	tell("spin", &spinning);
	count_print();
	return 0;
}
