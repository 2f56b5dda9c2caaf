/* own_signal HOW: a program that uses the signal that samples from within come by, or all of them.
 *
 *     handles    has a handler of its own, and sends itself the signal
 *     default    sets all to their defaults, works, and sends itself the signal: it is killed by it
 *     ignores    ignores all, works, and sends itself the signal
 *     blocks     a thread that blocks all, and works
 *     waits      a thread that waits for any of all, and gets SIGUSR1
 *     timer      has a timer of its own, by SIGPROF, and counts */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define OURS 61

static volatile int got, code;

__attribute__((noinline)) static void work(void)
{
	for (volatile long i = 0; i < 100000000; i++)
		;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	code = info->si_code;
	got += number == OURS || number == SIGPROF;
}

static void *blocks(void *argument)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	work();
	return argument;
}

static void *waits(void *argument)
{
	sigset_t all;
	int number = 0;

	sigfillset(&all);
	while (sigwait(&all, &number) || number == SIGCHLD)
		;
	printf("sigwait %s\n", number == SIGUSR1 ? "SIGUSR1" : "another");
	return argument;
}

static void set_all(void (*handler)(int))
{
	for (int i = 1; i < 65; i++)
		signal(i, handler);
	work();
	puts("works");
	fflush(stdout);
	kill(getpid(), OURS);
}

int main(int argc, char **argv)
{
	const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	const struct itimerval time = {{0, 2000}, {0, 2000}};
	struct sigaction before;
	pthread_t thread;
	sigset_t all;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "handles")) {
		sigaction(OURS, &action, NULL);
		sigaction(OURS, NULL, &before);
		work();
		printf("timers %d\n", got);
		raise(OURS);
		printf("mine %d, got %d, by raise %d\n", before.sa_sigaction == on_signal, got, code == SI_TKILL);
	} else if (!strcmp(argv[1], "default")) {
		set_all(SIG_DFL);
		puts("not killed");
	} else if (!strcmp(argv[1], "ignores")) {
		set_all(SIG_IGN);
		puts("goes on");
	} else if (!strcmp(argv[1], "blocks")) {
		pthread_create(&thread, NULL, blocks, NULL);
		pthread_join(thread, NULL);
		puts("done");
	} else if (!strcmp(argv[1], "waits")) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, NULL);
		pthread_create(&thread, NULL, waits, NULL);
		work();
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	} else if (!strcmp(argv[1], "timer")) {
		sigaction(SIGPROF, &action, NULL);
		setitimer(ITIMER_PROF, &time, NULL);
		do /* the kernel looks in its ticks, of which on a busy machine few are while it runs */
			work();
		while (clock() < CLOCKS_PER_SEC / 2);
		printf("SIGPROF %d\n", got > 4);
	}
	return 0;
}
