/* A process in a state that is hard to attach to: states STATE. It calls step all the time, and ends with SIGTERM; "good": nothing
 * that it relies on was disturbed.
 *
 *     waits    all threads wait for conditions and for each other
 *     blocked  all signals are blocked
 *     tiny     its only thread runs on a signal stack of 8 kB, with a pattern around it
 *     vforks   children of vfork, one after the other, that live for a moment
 *     vforked  one that lives until it gets SIGTERM, while another thread goes on
 *     churns   threads that come and go
 *     sleeps   a thread sleeps for two seconds, another one reads from a pipe that stays empty
 *     rests    the first thread sleeps for two seconds at a time, another one works */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SOME __attribute__((noinline))
#define TINY 8192
#define PATTERN 0x5a

static volatile int over, bad;
static unsigned char around[3 * 16384] __attribute__((aligned(4096)));

static void end(int number)
{
	(void)number;
	over = 1;
}

SOME unsigned step(unsigned x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 2654435761u ^ x >> 7;
}

SOME unsigned steps(unsigned x, int count)
{
	while (count--)
		x = step(x);
	return x;
}

static void work(void)
{
	if (steps(1, 100) != steps(1, 100))
		bad = 1;
	usleep(500);
}

static void *wait_often(void *unused)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	(void)unused;
	pthread_mutex_lock(&mutex);
	while (!over) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 20000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (pthread_cond_timedwait(&never, &mutex, &until) != ETIMEDOUT)
			bad = 1;
		if (steps(1, 100) != steps(1, 100))
			bad = 1;
	}
	return 0;
}

static void *work_once(void *unused)
{
	work();
	return unused;
}

static void *work_on(void *unused)
{
	while (!over)
		work();
	return unused;
}

static void join(void *(*body)(void *), int count)
{
	pthread_t threads[3];

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], 0, body, 0);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], 0);
}

static void blocked(void)
{
	sigset_t all, pending;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, 0);
	do {
		work();
		sigpending(&pending);
	} while (!sigismember(&pending, SIGTERM));
}

static void on_tiny(int number)
{
	struct timespec pause = {0, 500000};
	sigset_t pending;

	(void)number;
	do {
		if (steps(1, 100) != steps(1, 100))
			bad = 1;
		nanosleep(&pause, 0);
		sigpending(&pending);
	} while (!sigismember(&pending, SIGTERM));
}

static void tiny(void)
{
	stack_t stack = {.ss_sp = around + 16384, .ss_size = TINY};
	struct sigaction action = {.sa_handler = on_tiny, .sa_flags = SA_ONSTACK};

	sigfillset(&action.sa_mask);
	memset(around, PATTERN, sizeof around);
	sigaltstack(&stack, 0);
	sigaction(SIGUSR1, &action, 0);
	raise(SIGUSR1);
	for (size_t i = 0; i < sizeof around; i++)
		if ((i < 16384 || i >= 16384 + TINY) && around[i] != PATTERN)
			bad = 1;
}

static void fork_child(unsigned us)
{
	pid_t child = vfork();

	if (!child) {
		struct timespec pause = {us / 1000000, us % 1000000 * 1000};

		nanosleep(&pause, 0);
		_exit(0);
	}
	while (waitpid(child, 0, 0) < 0 && errno == EINTR)
		continue;
}

static void *sleep_two(void *unused)
{
	struct timespec pause = {2, 0}, began, ended;

	while (!over) {
		clock_gettime(CLOCK_MONOTONIC, &began);
		if (nanosleep(&pause, 0))
			bad = 1;
		clock_gettime(CLOCK_MONOTONIC, &ended);
		if (ended.tv_sec - began.tv_sec < 2 && ended.tv_nsec < began.tv_nsec)
			bad = 1;
	}
	return unused;
}

static int pipes[2];
static void *read_one(void *unused)
{
	char byte = 0;

	if (read(pipes[0], &byte, 1) != 1 || byte != 'x')
		bad = 1;
	return unused;
}

int main(int argc, char **argv)
{
	struct sigaction ends = {.sa_handler = end, .sa_flags = SA_RESTART};
	const char *state = argc > 1 ? argv[1] : "";
	pthread_t threads[3];

	sigaction(SIGTERM, &ends, 0);
	if (!strcmp(state, "waits"))
		join(wait_often, 2);
	else if (!strcmp(state, "blocked"))
		blocked();
	else if (!strcmp(state, "tiny"))
		tiny();
	else if (!strcmp(state, "vforks"))
		for (work(); !over; work())
			fork_child(3000);
	else if (!strcmp(state, "vforked"))
		for (pthread_create(&threads[0], 0, work_on, 0); !over;)
			fork_child(100000000);
	else if (!strcmp(state, "churns"))
		while (!over)
			join(work_once, 3);
	else if (!strcmp(state, "sleeps") && !pipe(pipes)) {
		pthread_create(&threads[0], 0, sleep_two, 0);
		pthread_create(&threads[1], 0, read_one, 0);
		while (!over)
			work();
		if (write(pipes[1], "x", 1) != 1)
			bad = 1;
		pthread_join(threads[0], 0);
		pthread_join(threads[1], 0);
	} else if (!strcmp(state, "rests")) {
		sigset_t term;

		pthread_create(&threads[0], 0, work_on, 0);
		sigemptyset(&term);
		sigaddset(&term, SIGTERM);
		pthread_sigmask(SIG_BLOCK, &term, 0);
		sleep_two(0);
	} else
		while (!over)
			work();
	puts(bad ? "bad" : "good");
	return 0;
}
