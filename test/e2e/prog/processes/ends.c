/* Every way for a program to end in the middle of its calls: ends HOW. What was counted until then is printed first. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../count.h"

static volatile unsigned sink;
static int *volatile nowhere;

static void leaf(void)
{
	CALLED();
	sink++;
}

static void end_now(const char *how)
{
	static const struct rlimit no_core;

	CALLED();
	setrlimit(RLIMIT_CORE, &no_core);
	count_print();
	if (!strcmp(how, "exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(8);
	if (!strcmp(how, "quick_exit"))
		quick_exit(9);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "segv"))
		*nowhere = 1;
	if (!strcmp(how, "fpe"))
		raise(SIGFPE);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "term"))
		raise(SIGTERM);
	if (!strcmp(how, "pthread_exit"))
		pthread_exit(0);
}

static void outer(const char *how)
{
	CALLED();
	for (int i = 0; i < 1000; i++)
		leaf();
	end_now(how);
}

int main(int argc, char **argv)
{
	CALLED();
	outer(argc > 1 ? argv[1] : "return");
	return 6;
}
