/* tasks: translates numbers of processes and threads from other PID namespaces, by /proc. */
#include "record/session/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "util/array.h"
#include "util/mapped_file.h"

struct task {
	uint32_t process, inner; /* index of the process; number in the task's own namespace, with DWELL_TASK_INNER */
	uint32_t number; /* the translation */
};

struct tasks {
	int fd; /* of the session */
	struct task *processes, *threads; /* translated so far */
	size_t process_count, process_capacity, thread_count, thread_capacity;
	uint32_t *numbers; /* of all processes, by index; 0: unknown, not translated, or ended before its announcement was read */
	size_t number_count, number_capacity;
};

struct tasks *make_tasks(int fd)
{
	struct tasks *tasks = calloc(1, sizeof *tasks);

	if (tasks)
		tasks->fd = fd;
	return tasks;
}

void free_tasks(struct tasks *tasks)
{
	if (!tasks)
		return;
	free(tasks->processes);
	free(tasks->threads);
	free(tasks->numbers);
	free(tasks);
}

void tasks_describe(uint64_t *space, uint64_t *proc_device)
{
	struct stat file;
	char self[32] = "";

	*space = *proc_device = 0;
	/* A /proc of another PID namespace shows other numbers than ours. */
	if (readlink("/proc/self", self, sizeof self - 1) < 0 || strtol(self, NULL, 10) != (long)getpid())
		return;
	if (stat("/proc/self/ns/pid", &file) == 0)
		*space = file.st_ino;
	if (stat("/proc", &file) == 0)
		*proc_device = dwell_session_device(major(file.st_dev), minor(file.st_dev));
}

bool tasks_session_is_mapped(uint32_t pid, int fd, bool unseen)
{
	struct mapped mapped;
	struct stat file;
	bool found = false;
	FILE *maps = mapped_open((pid_t)pid);

	if (!maps)
		return unseen && (errno == EACCES || errno == EPERM);
	if (fstat(fd, &file) < 0)
		file.st_ino = 0;
	while (!found && mapped_next(maps, &mapped))
		found = mapped.inode && mapped.inode == file.st_ino && (mapped_is_file(&mapped, &file) || strstr(mapped.path, "dwell"));
	mapped_close(maps);
	return found;
}

/* The last number in a line of a status file: the only number in a single namespace. *count: how many numbers the line has. */
static uint32_t read_status(const char *path, const char *line_begins, unsigned *count)
{
	char line[512], *at, *end;
	uint32_t number = 0;
	FILE *file = fopen(path, "re");

	*count = 0;
	while (file && !*count && fgets(line, sizeof line, file)) {
		if (strncmp(line, line_begins, strlen(line_begins)))
			continue;
		for (at = line + strlen(line_begins);; at = end) {
			unsigned long read = strtoul(at, &end, 10);

			if (end == at)
				break;
			number = (uint32_t)read;
			++*count;
		}
	}
	if (file)
		fclose(file);
	return number;
}

/* Calls each with every task in a folder of /proc whose number in its own namespace is inner. */
static void each_of_number(const char *folder, uint32_t inner, void (*each)(void *context, uint32_t number), void *context)
{
	DIR *list = opendir(folder);
	struct dirent *entry;
	char path[300];
	unsigned count;

	while (list && (entry = readdir(list))) {
		uint32_t number = (uint32_t)strtoul(entry->d_name, NULL, 10);

		snprintf(path, sizeof path, "%s/%.20s/status", folder, entry->d_name);
		if (number && read_status(path, "NSpid:", &count) == inner && count)
			each(context, number);
	}
	if (list)
		closedir(list);
}

struct search {
	int fd; /* of the session */
	uint32_t found;
	unsigned seen, fit; /* processes with the inner number; those of them with the session mapped */
};

static void check_process(void *context, uint32_t number)
{
	struct search *search = context;

	search->seen++;
	if (!tasks_session_is_mapped(number, search->fd, false))
		return;
	search->fit++;
	search->found = number;
}

/* Returns the number of the process; inner, with the bit, if several processes fit or none; 0: no process has the inner number. */
static uint32_t find_process(const struct tasks *tasks, uint32_t inner)
{
	struct search search = {.fd = tasks->fd};

	each_of_number("/proc", inner, check_process, &search);
	return search.fit == 1 ? search.found : search.seen ? inner | DWELL_TASK_INNER : 0;
}

static void keep_number(void *context, uint32_t number)
{
	*(uint32_t *)context = number;
}

/* Returns the number of the thread; 0: the thread has ended. */
static uint32_t find_thread(uint32_t pid, uint32_t inner)
{
	uint32_t found = 0;
	char folder[40];

	snprintf(folder, sizeof folder, "/proc/%u/task", pid);
	each_of_number(folder, inner, keep_number, &found);
	return found;
}

static struct task *find_task(struct task *list, size_t count, uint32_t process, uint32_t inner)
{
	for (size_t i = count; i--;)
		if (list[i].process == process && list[i].inner == inner)
			return &list[i];
	return NULL;
}

static void translate_process(struct tasks *tasks, uint32_t process, uint32_t *pid)
{
	struct task *task = find_task(tasks->processes, tasks->process_count, process, *pid);

	if (!task && array_reserve(&tasks->processes, &tasks->process_capacity, tasks->process_count + 1, sizeof *task)) {
		task = &tasks->processes[tasks->process_count++];
		*task = (struct task){process, *pid, find_process(tasks, task_without_mark(*pid))};
	}
	*pid = task ? task->number : *pid;
}

#define PROCESSES_MAX (1u << 24) /* more are forged */

static void note_number(struct tasks *tasks, uint32_t process, uint32_t number)
{
	if (process >= PROCESSES_MAX ||
		!array_reserve(&tasks->numbers, &tasks->number_capacity, process + (size_t)1, sizeof number))
		return;
	while (tasks->number_count <= process)
		tasks->numbers[tasks->number_count++] = 0;
	tasks->numbers[process] = number & DWELL_TASK_INNER ? 0 : number;
}

uint32_t tasks_number(const struct tasks *tasks, uint32_t process)
{
	return tasks && process < tasks->number_count ? tasks->numbers[process] : 0;
}

void tasks_add_process(struct tasks *tasks, uint32_t process, uint32_t *pid, uint32_t *parent_pid)
{
	char path[32];
	unsigned count;

	if (tasks && *pid & DWELL_TASK_INNER)
		translate_process(tasks, process, pid);
	if (tasks)
		note_number(tasks, process, *pid);
	if (*parent_pid & DWELL_TASK_INNER && *pid && !(*pid & DWELL_TASK_INNER)) {
		snprintf(path, sizeof path, "/proc/%u/status", *pid);
		*parent_pid = read_status(path, "PPid:", &count);
	}
}

void tasks_translate(struct tasks *tasks, uint32_t process, uint32_t *pid, uint32_t *tid)
{
	bool is_first = *pid == *tid;
	struct task *task;

	if (!tasks || !((*pid | *tid) & DWELL_TASK_INNER))
		return;
	if (*pid & DWELL_TASK_INNER)
		translate_process(tasks, process, pid);
	if (is_first)
		*tid = *pid;
	if (*pid & DWELL_TASK_INNER || !(*tid & DWELL_TASK_INNER))
		return;
	task = find_task(tasks->threads, tasks->thread_count, process, *tid);
	if (!task && array_reserve(&tasks->threads, &tasks->thread_capacity, tasks->thread_count + 1, sizeof *task)) {
		task = &tasks->threads[tasks->thread_count++];
		*task = (struct task){process, *tid, *pid ? find_thread(*pid, task_without_mark(*tid)) : 0};
	}
	*tid = task ? task->number : *tid;
}
