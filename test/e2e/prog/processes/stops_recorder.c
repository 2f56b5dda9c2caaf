/* A slow call whose snapshot comes too late, for certain: stops_recorder OUTPUT MS CALLS
 *
 * The first call of slow has a snapshot, OUTPUT.1, at once. The second one waits, as the ring is not renewed; when whoever records,
 * which is the parent, has looked at it, he is stopped, and CALLS of fill go round the ring. Then he goes on, and takes
 * OUTPUT.2. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "../count.h"

static volatile unsigned sink;

UNHOOKED static void rest(long ns)
{
	nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, 0);
}

/* A line of /proc/PID/status, behind its name. */
UNHOOKED static void read_status(const char *name, char *value, int bytes)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
	file = fopen(path, "r");
	*value = 0;
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, name, strlen(name)))
			snprintf(value, (size_t)bytes, "%s", line + strlen(name) + strspn(line + strlen(name), ": \t"));
	if (!file || !*value)
		abort();
	fclose(file);
}

UNHOOKED static unsigned long count_sleeps(void)
{
	char value[32];

	read_status("voluntary_ctxt_switches", value, sizeof value);
	return strtoul(value, 0, 10);
}

UNHOOKED static void wait_for_file(const char *output, int number)
{
	char path[4096];

	snprintf(path, sizeof path, "%s.%d", output, number);
	while (access(path, F_OK))
		rest(1000000);
}

/* He sleeps once between two looks. */
UNHOOKED static void wait_for_looks(void)
{
	unsigned long first = count_sleeps();

	while (count_sleeps() < first + 4)
		rest(1000000);
}

UNHOOKED static void stop(void)
{
	char state[32] = "";

	kill(getppid(), SIGSTOP);
	while (*state != 'T') {
		rest(1000000);
		read_status("State", state, sizeof state);
	}
}

static void slow(unsigned long ms)
{
	CALLED();
	rest((long)ms * 1000000);
}

static void fill(void)
{
	CALLED();
	sink++;
}

int main(int argc, char **argv)
{
	unsigned long ms = argc > 3 ? strtoul(argv[2], 0, 10) : 0, calls = argc > 3 ? strtoul(argv[3], 0, 10) : 0;

	CALLED();
	if (argc < 4)
		return 2;
	slow(ms);
	wait_for_file(argv[1], 1);
	slow(ms);
	wait_for_looks();
	stop();
	for (unsigned long i = 0; i < calls; i++)
		fill();
	kill(getppid(), SIGCONT);
	wait_for_file(argv[1], 2);
	count_print();
	return 0;
}
