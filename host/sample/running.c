/* running: reads facts about a running process from /proc. */
#include "sample/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/clock.h"

char *make_running_path(pid_t pid)
{
	char link[64], target[4096];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
	length = readlink(link, target, sizeof target - 1);
	if (length <= 0)
		return NULL;
	target[length] = 0;
	return strdup(target);
}

char **make_running_argv(pid_t pid)
{
	char path[64], text[16384], **argv, *copy;
	size_t bytes, count = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	bytes = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[bytes] = 0; /* leaves out further arguments */
	for (size_t i = 0; i < bytes; i += strlen(text + i) + 1)
		count++;
	argv = malloc((count + 1) * sizeof *argv + bytes + 1);
	if (!argv)
		return NULL;
	copy = memcpy(argv + count + 1, text, bytes + 1);
	count = 0;
	for (size_t i = 0; i < bytes; i += strlen(copy + i) + 1)
		argv[count++] = copy + i;
	argv[count] = NULL;
	return argv;
}

/* The fields behind the process's name in /proc/PID/stat; the name may contain anything. Null: no such process. */
static const char *read_stat(pid_t pid, char text[static 1024])
{
	char path[64], *end;
	size_t bytes = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	file = fopen(path, "re");
	if (file) {
		bytes = fread(text, 1, 1023, file);
		fclose(file);
	}
	text[bytes] = 0;
	end = strrchr(text, ')');
	return end ? end + 1 : NULL;
}

static uint64_t ticks_to_ns(unsigned long long ticks)
{
	return ticks * (1000000000u / (unsigned long long)sysconf(_SC_CLK_TCK));
}

uint64_t running_cpu_ns(pid_t pid, bool with_kernel)
{
	unsigned long long user = 0;
	char text[1024];
	const char *stat;
	clockid_t clock;

	if (with_kernel)
		return clock_getcpuclockid(pid, &clock) == 0 ? clock_ns(clock) : 0;
	/* Without samples of the kernel, CPU time in the kernel does not count. The system separates the two only in ticks. */
	stat = read_stat(pid, text);
	if (!stat || sscanf(stat, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu", &user) != 1)
		return 0;
	return ticks_to_ns(user);
}

uint64_t running_begin_unix_ns(pid_t pid)
{
	unsigned long long ticks = 0;
	char text[1024];
	const char *stat = read_stat(pid, text);

	if (!stat || sscanf(stat, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
		return 0;
	return clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_BOOTTIME) - ticks_to_ns(ticks));
}

static uint64_t to_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

uint64_t running_children_cpu_ns(bool with_kernel)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage) < 0)
		return 0;
	return to_ns(usage.ru_utime) + (with_kernel ? to_ns(usage.ru_stime) : 0);
}
