/* Waits for a line, and makes calls until it has made so many, or somebody interrupts it, wherever it is just then:
 *
 *     held COUNT           SIGUSR1 has it fork, and the child goes on from there: it makes some more calls, and ends
 *     held COUNT cancel    a thread makes them, and SIGUSR1 has it cancelled
 *
 * Says how many calls of leaf all of them made. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_HOOKS __attribute__((no_instrument_function))

static unsigned long *made; /* by all processes */
static unsigned long own;   /* not in the memory that they share yet */
static volatile sig_atomic_t is_child;

__attribute__((noinline)) static void leaf(void)
{
	__asm__ volatile("");
}

/* Counted before it is entered: a child that begins inside a call goes on in a copy of its parent's call, which is none of its
 * own. */
NO_HOOKS static void call_leaf(void)
{
	own++;
	leaf();
}

NO_HOOKS static void on_signal(int number)
{
	(void)number;
	if (fork() == 0) {
		is_child = 1;
		own = 0;
	}
}

NO_HOOKS static void *work(void *argument)
{
	unsigned long count = *(unsigned long *)argument;

	for (unsigned long i = 0; i < count && !is_child; i++)
		call_leaf();
	for (unsigned i = 0; is_child && i < 1000; i++)
		call_leaf();
	__atomic_fetch_add(made, own, __ATOMIC_RELAXED);
	return 0;
}

NO_HOOKS static void *work_until_cancelled(void *argument)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
	return work(argument);
}

static void cancel(unsigned long count)
{
	pthread_t thread;
	sigset_t set;
	void *result = 0;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	pthread_create(&thread, 0, work_until_cancelled, &count);
	sigwait(&set, &number);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	dprintf(1, "%s\n", result == PTHREAD_CANCELED ? "cancelled" : "done");
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], 0, 10) : 0;
	char line;

	made = mmap(0, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED || read(0, &line, 1) < 0)
		return 1;
	if (argc > 2) {
		cancel(count);
		return 0;
	}
	signal(SIGUSR1, on_signal);
	work(&count);
	if (is_child) {
		dprintf(1, "child done\n");
		return 0;
	}
	wait(0);
	dprintf(1, "leaf %lu\n", *made);
	return 0;
}
