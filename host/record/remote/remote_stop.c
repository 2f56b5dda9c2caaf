#include "record/remote/remote_stop.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "record/remote/remote_find.h"
#include "util/array.h"

#define STACK_MAX (UINT64_C(1) << 20) /* of one that is looked through */

static bool has_thread(const struct remote_stop *stop, pid_t tid)
{
	for (size_t i = 0; i < stop->count; i++)
		if (stop->threads[i].tid == tid)
			return true;
	return false;
}

/* Those that are new. *more: there were some. */
static enum remote_problem stop_some(struct remote_stop *stop, bool *more)
{
	enum remote_problem problem = REMOTE_DONE;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)stop->pid);
	folder = opendir(path);
	*more = false;
	while (folder && problem == REMOTE_DONE && (entry = readdir(folder))) {
		struct remote_one thread = {.tid = (pid_t)strtol(entry->d_name, NULL, 10)};

		if (*entry->d_name == '.' || has_thread(stop, thread.tid))
			continue;
		problem = remote_seize(thread.tid, &thread.signal);
		if (problem == REMOTE_GONE) {
			problem = REMOTE_DONE; /* that thread alone */
			continue;
		}
		if (problem != REMOTE_DONE)
			continue;
		if (!array_reserve(&stop->threads, &stop->capacity, stop->count + 1, sizeof thread)) {
			remote_let_go(thread.tid, thread.signal);
			problem = REMOTE_BUSY;
			continue;
		}
		stop->threads[stop->count++] = thread;
		*more = true;
	}
	if (folder)
		closedir(folder);
	return folder ? problem : REMOTE_GONE;
}

/* Until a look at them shows none that is new: those that run begin others. */
enum remote_problem remote_stop_all(struct remote_stop *stop, pid_t pid)
{
	enum remote_problem problem = REMOTE_DONE;
	bool more = true;

	*stop = (struct remote_stop){.pid = pid};
	while (more && problem == REMOTE_DONE)
		problem = stop_some(stop, &more);
	return problem != REMOTE_DONE || stop->count ? problem : REMOTE_GONE;
}

void remote_release(struct remote_stop *stop)
{
	for (size_t i = 0; i < stop->count; i++)
		remote_let_go(stop->threads[i].tid, stop->threads[i].signal);
	free(stop->threads);
	*stop = (struct remote_stop){0};
}

#ifdef __x86_64__

bool remote_is_at(const struct remote_stop *stop, bool (*is_meant)(void *context, uint64_t place), void *context)
{
	for (size_t i = 0; i < stop->count; i++) {
		struct user_regs_struct registers;

		if (ptrace(PTRACE_GETREGS, stop->threads[i].tid, 0, &registers) < 0 || is_meant(context, registers.rip))
			return true;
	}
	return false;
}

static bool is_in(uint64_t place, uint64_t (*ranges)[2], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (place >= ranges[i][0] && place < ranges[i][1])
			return true;
	return false;
}

static bool stack_leads_into(pid_t pid, uint64_t sp, uint64_t (*ranges)[2], size_t count)
{
	static uint64_t words[4096];
	uint64_t at = sp & ~UINT64_C(7), end = remote_find_end(pid, sp);

	if (end > at + STACK_MAX)
		end = at + STACK_MAX;
	while (at < end) {
		uint64_t bytes = end - at < sizeof words ? end - at : sizeof words;

		if (!remote_read(pid, at, words, bytes))
			return true;
		for (uint64_t i = 0; i < bytes / sizeof *words; i++)
			if (is_in(words[i], ranges, count))
				return true;
		at += bytes;
	}
	return false;
}

bool remote_is_inside(const struct remote_stop *stop, uint64_t (*ranges)[2], size_t count, bool stacks)
{
	for (size_t i = 0; i < stop->count; i++) {
		struct user_regs_struct registers;

		if (ptrace(PTRACE_GETREGS, stop->threads[i].tid, 0, &registers) < 0 || is_in(registers.rip, ranges, count) ||
			(stacks && stack_leads_into(stop->pid, registers.rsp, ranges, count)))
			return true;
	}
	return false;
}

#else

bool remote_is_at(const struct remote_stop *stop, bool (*is_meant)(void *context, uint64_t place), void *context)
{
	(void)stop;
	(void)is_meant;
	(void)context;
	return true;
}

bool remote_is_inside(const struct remote_stop *stop, uint64_t (*ranges)[2], size_t count, bool stacks)
{
	(void)stacks;
	(void)stop;
	(void)ranges;
	(void)count;
	return true;
}

#endif
