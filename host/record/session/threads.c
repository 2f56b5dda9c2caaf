/* threads: checks threads and processes by signal 0 and by /proc. */
#include "record/session/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "target/port/os/linux/session.h"

/* Reads a file of a thread in /proc, and terminates the text. Returns its bytes; negative: the thread has ended. */
static ssize_t read_file(uint32_t pid, uint32_t tid, const char *file, char *buffer, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%u/task/%u/%s", pid, tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buffer, size - 1);
	close(fd);
	if (n >= 0)
		buffer[n] = 0;
	return n;
}

bool thread_is_alive(uint32_t pid, uint32_t tid)
{
	char stat[256], *end;

	/* A process number with the bit cannot be checked: all its threads count as alive. In
	 * a known process, a thread number with the bit means that the thread has ended. */
	if (!pid || (pid | tid) & DWELL_TASK_INNER)
		return pid & DWELL_TASK_INNER;
	if (!tid) /* tasks.h: the thread has ended */
		return false;
	/* A thread that ends disappears at once, except a process's first thread: a zombie stays until the parent has waited. */
	if (tgkill((pid_t)pid, (pid_t)tid, 0) < 0 && errno == ESRCH)
		return false;
	if (pid != tid)
		return true;
	if (read_file(pid, tid, "stat", stat, sizeof stat) <= 0)
		return false;
	end = strrchr(stat, ')'); /* a name may contain anything, even ") Z" */
	return end && end[1] && end[2] != 'Z' && end[2] != 'X';
}

bool process_exists(uint32_t pid)
{
	return pid & DWELL_TASK_INNER || (pid && (kill((pid_t)pid, 0) == 0 || errno != ESRCH));
}

struct process_life process_read_life(uint32_t pid)
{
	struct process_life life = {0};
	unsigned long long start_ticks = 0;
	unsigned long threads = 0;
	char stat[512], *end;
	bool ended;

	if (read_file(pid, pid, "stat", stat, sizeof stat) <= 0 || !(end = strrchr(stat, ')')) || !end[1])
		return life;
	/* "pid (name) state ppid …": the twentieth field is the number of threads, the twenty-second the start. */
	sscanf(end + 2, "%*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %*s %llu", &threads, &start_ticks);
	ended = end[2] == 'Z' || end[2] == 'X';
	life.start_ticks = start_ticks;
	life.headless = ended && threads > 1;
	life.alive = !ended || life.headless;
	return life;
}

bool thread_read_name(uint32_t pid, uint32_t tid, char name[16])
{
	char read[32];
	ssize_t n = read_file(pid, tid, "comm", read, sizeof read);

	if (n <= 0)
		return false;
	read[strcspn(read, "\n")] = 0;
	snprintf(name, 16, "%.15s", read);
	return true;
}
