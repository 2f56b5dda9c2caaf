/* Calls of three functions, one after the other, and an end of one of these kinds:
 *     return   kill: SIGKILL   record: its parent, the recorder, is killed half-way   both: first the parent, then itself
 *     quiet: likewise, after a call every 10 ms */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../count.h"

static volatile unsigned sink;

static void early(void)
{
	CALLED();
	sink++;
}

static void middle(void)
{
	CALLED();
	sink++;
}

static void late(void)
{
	CALLED();
	sink++;
}

__attribute__((no_instrument_function)) static void kill_parent(void)
{
	const struct timespec wait = {0, 1000000};
	pid_t parent = getppid();

	kill(parent, SIGKILL);
	while (getppid() == parent)
		nanosleep(&wait, NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";
	unsigned many = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;

	CALLED();
	for (unsigned i = 0; i < 100; i++) {
		early();
		if (!strcmp(how, "quiet"))
			nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	if (!strcmp(how, "quiet")) {
		kill_parent();
		count_print();
		return 0;
	}
	if (!strcmp(how, "record"))
		kill_parent();
	for (unsigned i = 0; i < many; i++)
		middle();
	for (unsigned i = 0; i < 100; i++)
		late();
	count_print();
	if (!strcmp(how, "both"))
		kill_parent();
	if (strcmp(how, "return") && strcmp(how, "record"))
		kill(getpid(), SIGKILL);
	return 0;
}
