/* waiting: see waiting.h. */
#include "sample/waiting.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES_ASKED 16u
#define THREADS_ASKED 64u

/* R, S, D, T, Z …; 0: it is no more. */
static char read_state(uint32_t pid, uint32_t tid)
{
	char path[64], text[256];
	const char *name_end;
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%" PRIu32 "/task/%" PRIu32 "/stat", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof text - 1);
	close(fd);
	text[got > 0 ? got : 0] = 0;
	name_end = strrchr(text, ')'); /* the name may hold any byte */
	return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

/* False: one is ready. waits: one lives. */
static bool ask_threads(struct waiting *waiting, uint32_t pid, bool *waits)
{
	bool ready = false;
	char path[32];
	struct dirent *entry;
	unsigned asked = 0;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%" PRIu32 "/task", pid);
	folder = opendir(path);
	while (!ready && folder && (entry = readdir(folder)) && asked < THREADS_ASKED) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		char state = tid ? read_state(pid, tid) : 0;

		asked += tid != 0;
		ready = state == 'R';
		if (ready) {
			waiting->ready_pid = pid;
			waiting->ready_tid = tid;
		}
		*waits |= state && state != 'Z' && state != 'X';
	}
	if (folder)
		closedir(folder);
	return !ready;
}

static uint64_t cpu_ns(const uint32_t *pids, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		struct timespec time;
		clockid_t clock;

		if (clock_getcpuclockid((pid_t)pids[i], &clock) == 0 && clock_gettime(clock, &time) == 0)
			sum += (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	}
	return sum;
}

bool waiting_all(struct waiting *waiting, const uint32_t *pids, size_t count)
{
	bool waits = false;
	uint64_t used;

	if (count > PROCESSES_ASKED)
		count = PROCESSES_ASKED;
	if (waiting->ready_tid && read_state(waiting->ready_pid, waiting->ready_tid) == 'R')
		return false;
	waiting->ready_tid = 0;
	used = cpu_ns(pids, count);
	if (waiting->all && used == waiting->cpu_ns)
		return true;
	waiting->all = false;
	for (size_t i = 0; i < count; i++)
		if (!ask_threads(waiting, pids[i], &waits))
			return false;
	waiting->all = waits;
	waiting->cpu_ns = used;
	return waits;
}
