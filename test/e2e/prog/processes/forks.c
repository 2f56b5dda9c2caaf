/* Processes that a recorded program starts: forks HOW. What children of fork call is in the trace, too, so it is counted by the
 * parent, which knows what they do.
 *
 *     fork     children that make many calls and go on to exit, _exit and SIGKILL, while the parent makes calls too
 *     vfork    posix_spawn and system(), which run other programs
 *     threads  fork in one thread while another makes calls
 *     exec     becomes another program in the middle of its calls */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "../count.h"

extern char **environ;
static volatile unsigned sink;
static volatile int stop;

enum { CHILDREN = 9, CHILD_CALLS = 20000 };

static void child_leaf(void)
{
	sink++;
}

static void child_work(void)
{
	for (int i = 0; i < CHILD_CALLS; i++)
		child_leaf();
}

static void leaf(void)
{
	CALLED();
	sink++;
}

static void work(void)
{
	CALLED();
	for (int i = 0; i < 2000; i++)
		leaf();
}

static void one_child(int how)
{
	pid_t child;
	int status;

	CALLED();
	child = fork();
	if (!child) {
		child_work();
		if (how % 3 == 0)
			exit(0);
		if (how % 3 == 1)
			_exit(0);
		kill(getpid(), SIGKILL);
	}
	work();
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	work();
}

static void one_program(void)
{
	static char *arguments[] = {(char *)"true", 0};
	pid_t child;
	int status;

	CALLED();
	if (posix_spawnp(&child, "true", 0, 0, arguments, environ) || waitpid(child, &status, 0) != child || status)
		abort();
	work();
	if (system("exit 3") != 3 << 8)
		abort();
	work();
}

static void *other_thread(void *argument)
{
	CALLED();
	while (!stop)
		work();
	return argument;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "fork";
	pthread_t thread;

	CALLED();
	if (!strcmp(how, "threads") && pthread_create(&thread, 0, other_thread, 0))
		abort();
	if (!strcmp(how, "vfork"))
		for (int i = 0; i < 10; i++)
			one_program();
	else if (strcmp(how, "exec")) {
		for (int i = 0; i < CHILDREN; i++)
			one_child(i);
		count_line("count", "child_work", CHILDREN);
		count_line("count", "child_leaf", (unsigned long)CHILDREN * CHILD_CALLS);
	}
	stop = 1;
	if (!strcmp(how, "threads"))
		pthread_join(thread, 0);
	work();
	count_print();
	if (!strcmp(how, "exec")) {
		execlp("sh", "sh", "-c", "echo became another program; exit 5", (char *)0);
		abort();
	}
	return 0;
}
