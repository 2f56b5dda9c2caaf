/* running: reads facts about a running process from /proc. */
#include "sample/running.h"

#include <dirent.h>
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

struct running_cpu running_get_cpu(pid_t pid, bool with_kernel)
{
	unsigned long long user = 0, kernel = 0;
	char text[1024];
	const char *stat;
	clockid_t clock;

	if (with_kernel)
		return (struct running_cpu){.ns = clock_getcpuclockid(pid, &clock) == 0 ? clock_ns(clock) : 0};
	/* The system separates time in the kernel from the rest only in ticks. */
	stat = read_stat(pid, text);
	if (!stat || sscanf(stat, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &kernel) != 2)
		return (struct running_cpu){0};
	return (struct running_cpu){.ns = ticks_to_ns(user), .kernel_ns = ticks_to_ns(kernel)};
}

struct running_cpu running_get_waited_cpu(pid_t pid, bool with_kernel)
{
	long long user = 0, kernel = 0;
	char text[1024];
	const char *stat = read_stat(pid, text);

	if (!stat || sscanf(stat, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld %lld", &user, &kernel) != 2 ||
		user < 0 || kernel < 0)
		return (struct running_cpu){0};
	return (struct running_cpu){.ns = ticks_to_ns((unsigned long long)(with_kernel ? user + kernel : user)),
		.kernel_ns = with_kernel ? 0 : ticks_to_ns((unsigned long long)kernel)};
}

/* Adds a thread's children to the list. False: the system does not show them. */
static bool list_of_thread(pid_t pid, const char *thread, pid_t *pids, size_t max, size_t *count)
{
	char path[320];
	FILE *file;
	long child;

	snprintf(path, sizeof path, "/proc/%ld/task/%s/children", (long)pid, thread);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fscanf(file, "%ld", &child) == 1) {
		if (*count < max)
			pids[*count] = (pid_t)child;
		(*count)++;
	}
	fclose(file);
	return true;
}

size_t running_list_children(pid_t pid, pid_t *pids, size_t max)
{
	char path[64];
	const struct dirent *thread;
	size_t count = 0;
	bool good = true;
	DIR *threads;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	threads = opendir(path);
	if (!threads)
		return SIZE_MAX;
	while (good && (thread = readdir(threads)))
		good = *thread->d_name == '.' || list_of_thread(pid, thread->d_name, pids, max, &count);
	closedir(threads);
	return good ? count : SIZE_MAX;
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

struct running_cpu running_get_children_cpu(bool with_kernel)
{
	struct rusage usage;
	uint64_t kernel;

	if (getrusage(RUSAGE_CHILDREN, &usage) < 0)
		return (struct running_cpu){0};
	kernel = to_ns(usage.ru_stime);
	return (struct running_cpu){
		.ns = to_ns(usage.ru_utime) + (with_kernel ? kernel : 0), .kernel_ns = with_kernel ? 0 : kernel};
}

static uint64_t get_rise(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

struct running_cpu running_cpu_sum(struct running_cpu a, struct running_cpu b)
{
	return (struct running_cpu){.ns = a.ns + b.ns, .kernel_ns = a.kernel_ns + b.kernel_ns};
}

struct running_cpu running_cpu_since(struct running_cpu before, struct running_cpu now)
{
	return (struct running_cpu){.ns = get_rise(before.ns, now.ns), .kernel_ns = get_rise(before.kernel_ns, now.kernel_ns)};
}
