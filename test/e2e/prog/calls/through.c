/* What must pass through `dwell record` unchanged: arguments, standard input, output and error, the exit status, signals.
 *
 *     through cat                 copies input to output, says how much on standard error
 *     through args ...            prints its arguments
 *     through status N            exits with N
 *     through wait                says "ready", waits for SIGTERM, SIGINT, SIGHUP or SIGUSR1, says which, exits with its number */
#include <signal.h>
#include <stdlib.h>

#include "../count.h"

static volatile sig_atomic_t came;

static void on_signal(int number)
{
	came = number;
}

static int copy(void)
{
	char buffer[4096];
	size_t size, total = 0;

	while ((size = fread(buffer, 1, sizeof buffer, stdin)) > 0) {
		fwrite(buffer, 1, size, stdout);
		total += size;
	}
	fprintf(stderr, "copied %zu bytes\n", total);
	return 0;
}

static int wait_for_signal(void)
{
	sigset_t set, old;

	sigemptyset(&set);
	for (const int *number = (const int[]){SIGTERM, SIGINT, SIGHUP, SIGUSR1, 0}; *number; number++) {
		signal(*number, on_signal);
		sigaddset(&set, *number);
	}
	sigprocmask(SIG_BLOCK, &set, &old);
	puts("ready");
	fflush(stdout);
	while (!came)
		sigsuspend(&old);
	printf("signal %d\n", (int)came);
	return came;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "cat"))
		return copy();
	if (!strcmp(how, "status"))
		return argc > 2 ? (int)strtol(argv[2], 0, 10) : 0;
	if (!strcmp(how, "wait"))
		return wait_for_signal();
	for (int i = 2; i < argc; i++)
		printf("[%s]\n", argv[i]);
	return 0;
}
