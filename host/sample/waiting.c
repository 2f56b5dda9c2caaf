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

#define FEW_THREADS 16u /* are asked at each look */
#define LOOKS_MAX 32u   /* more are, so many looks after they have run */

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

/* Calls back for each thread of a process and its state, until that returns false. False: it has. */
static bool ask_threads(uint32_t pid, bool (*take)(void *context, struct waiting_thread thread, char state), void *context)
{
	bool go_on = true;
	char path[32];
	struct dirent *entry;
	unsigned asked = 0;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%" PRIu32 "/task", pid);
	folder = opendir(path);
	while (go_on && folder && (entry = readdir(folder)) && asked < WAITING_THREADS_MAX) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		char state = tid ? read_state(pid, tid) : 0;

		asked += tid != 0;
		if (state && state != 'Z' && state != 'X')
			go_on = take(context, (struct waiting_thread){pid, tid}, state);
	}
	if (folder)
		closedir(folder);
	return go_on;
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

/* Whether one of those that waited wants to run now. */
static bool is_one_ready(struct waiting *waiting)
{
	waiting->looks++;
	if (waiting->count > FEW_THREADS && waiting->looks > LOOKS_MAX)
		return false;
	for (size_t i = 0; i < waiting->count; i++)
		if (read_state(waiting->threads[i].pid, waiting->threads[i].tid) == 'R') {
			waiting->ready = waiting->threads[i];
			return true;
		}
	return false;
}

static bool note(void *context, struct waiting_thread thread, char state)
{
	struct waiting *waiting = context;

	if (state == 'R') {
		waiting->ready = thread;
		return false;
	}
	waiting->threads[waiting->count++] = thread;
	return true;
}

bool waiting_all(struct waiting *waiting, const uint32_t *pids, size_t count)
{
	if (count > WAITING_PROCESSES_MAX)
		count = WAITING_PROCESSES_MAX;
	if (waiting->ready.tid && read_state(waiting->ready.pid, waiting->ready.tid) == 'R')
		return false;
	waiting->ready.tid = 0;
	if (waiting->all && !is_one_ready(waiting) && cpu_ns(pids, count) == waiting->cpu_ns)
		return true;
	waiting->all = false;
	waiting->count = 0;
	waiting->looks = 0;
	if (waiting->ready.tid)
		return false;
	waiting->cpu_ns = cpu_ns(pids, count); /* before they are asked: who runs meanwhile is asked again the next time */
	for (size_t i = 0; i < count; i++)
		if (!ask_threads(pids[i], note, waiting))
			return false;
	waiting->all = waiting->count > 0;
	return waiting->all;
}

struct found {
	struct waiting_thread *ready;
	size_t count, max;
	bool wait;
};

static bool sort_out(void *context, struct waiting_thread thread, char state)
{
	struct found *found = context;

	if (state == 'R' && found->count < found->max)
		found->ready[found->count++] = thread;
	found->wait |= state != 'R';
	return true;
}

size_t waiting_find_ready(const uint32_t *pids, size_t count, struct waiting_thread *ready, size_t max, bool *wait)
{
	struct found found = {.ready = ready, .max = max};

	for (size_t i = 0; i < count && i < WAITING_PROCESSES_MAX; i++)
		ask_threads(pids[i], sort_out, &found);
	*wait = found.wait;
	return found.count;
}
