/* remote_stop: interrupts the threads of a process until all have stopped, and lets them go on. */
#include "record/remote/remote_stop.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "record/remote/remote_find.h"
#include "util/array.h"
#include "util/clock.h"

#define PATIENCE_US 5000000u    /* for all attempts together */
#define PATIENCE_HELD_US 20000u /* for the last threads to stop, while the first ones are stopped already */
#define STACK_MAX (UINT64_C(1) << 20) /* of a stack to search */

static bool has_thread(const struct remote_stop *stop, pid_t tid)
{
	for (size_t i = 0; i < stop->count; i++)
		if (stop->threads[i].tid == tid)
			return true;
	return false;
}

/* Interrupts the threads of the process that are not in the list yet, and adds these threads to the list. *more: the list has
 * grown. */
static enum remote_problem interrupt_new_threads(struct remote_stop *stop, bool *more)
{
	enum remote_problem problem = REMOTE_DONE;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)stop->image->pid);
	folder = opendir(path);
	*more = false;
	while (folder && problem == REMOTE_DONE && (entry = readdir(folder))) {
		struct remote_stopped_thread thread = {.tid = (pid_t)strtol(entry->d_name, NULL, 10)};

		if (*entry->d_name == '.' || has_thread(stop, thread.tid))
			continue;
		if (!array_reserve(&stop->threads, &stop->capacity, stop->count + 1, sizeof thread)) {
			problem = REMOTE_BUSY;
			continue;
		}
		if (remote_is_uninterruptible(thread.tid)) {
			problem = REMOTE_UNINTERRUPTIBLE;
			continue;
		}
		problem = remote_interrupt(thread.tid);
		if (problem == REMOTE_ENDED) {
			problem = REMOTE_DONE; /* the thread has ended, perhaps not the process */
			continue;
		}
		if (problem != REMOTE_DONE)
			continue;
		stop->threads[stop->count++] = thread;
		*more = true;
	}
	if (folder)
		closedir(folder);
	return folder ? problem : REMOTE_ENDED;
}

/* Checks each thread, without waiting, for a stop. *all: every thread has stopped or ended. Checks
 * stopped threads, too: exec in one thread ends all other threads, and waits until the tracer has noticed their ends. */
static enum remote_problem poll_threads(struct remote_stop *stop, bool *all)
{
	*all = true;
	for (size_t i = 0; i < stop->count; i++) {
		struct remote_stopped_thread *thread = &stop->threads[i];
		bool stood = thread->is_stopped;
		int signal, event;

		if (thread->ended)
			continue;
		if (remote_poll(thread->tid, &signal, &event, &thread->ended)) {
			thread->is_stopped = true;
			thread->signal = event ? 0 : signal;
			if (event == PTRACE_EVENT_EXEC)
				return REMOTE_EXECED;
		}
		if (thread->ended && stood)
			return REMOTE_ENDED;
		*all &= thread->ended || thread->is_stopped;
	}
	return REMOTE_DONE;
}

/* Waits until all threads in the list have stopped or ended. REMOTE_UNINTERRUPTIBLE: not within PATIENCE_HELD_US. */
static enum remote_problem wait_for_all(struct remote_stop *stop)
{
	enum remote_problem problem;
	bool all;

	for (unsigned us = 0; us < PATIENCE_HELD_US; us += us < 500 ? 10 : 250) {
		problem = poll_threads(stop, &all);
		if (problem != REMOTE_DONE || all)
			return problem;
		remote_pause_us(us < 500 ? 1 : 200); /* most stop soon */
	}
	return REMOTE_UNINTERRUPTIBLE;
}

/* Interrupts threads until the list is complete: running threads start new ones. */
static enum remote_problem try_to_stop(struct remote_stop *stop)
{
	enum remote_problem problem =
		remote_find_thread(stop->image->pid, remote_is_uninterruptible) ? REMOTE_UNINTERRUPTIBLE : REMOTE_DONE;
	bool more = true;

	stop->began_ns = clock_now_ns();
	while (more && problem == REMOTE_DONE) {
		problem = interrupt_new_threads(stop, &more);
		if (problem == REMOTE_DONE)
			problem = wait_for_all(stop);
	}
	return problem;
}

enum remote_problem remote_stop_all(struct remote_stop *stop, const struct remote_image *image)
{
	enum remote_problem problem = REMOTE_UNINTERRUPTIBLE;

	/* The kernel mostly holds a thread for a moment only. So dwell tries again; between two attempts all threads run. */
	for (unsigned ms = 0; problem == REMOTE_UNINTERRUPTIBLE && ms < PATIENCE_US / 1000; ms++) {
		if (ms) {
			remote_release(stop);
			remote_pause_us(1000);
		}
		*stop = (struct remote_stop){.image = image};
		remote_rest();
		problem = try_to_stop(stop);
	}
	if (problem == REMOTE_DONE && !stop->count)
		problem = REMOTE_ENDED;
	return problem == REMOTE_DONE && !remote_image_is_current(image) ? REMOTE_EXECED : problem;
}

/* Lets a thread go on. dwell can detach from an interrupted thread only after it has stopped. */
static void release_one(const struct remote_stop *stop, struct remote_stopped_thread *thread)
{
	int event;

	if (!thread->is_stopped && !thread->ended)
		thread->is_stopped = remote_wait(thread->tid, &thread->signal, &event);
	if (thread->is_stopped)
		remote_detach(thread->tid, thread->signal);
	else if (!remote_exists(thread->tid) && thread->tid != stop->image->pid)
		remote_detach_new_program(stop->image->pid);
}

void remote_release(struct remote_stop *stop)
{
	for (size_t i = 0; i < stop->count; i++)
		if (stop->threads[i].is_stopped)
			release_one(stop, &stop->threads[i]);
	if (stop->count)
		remote_note_stop(stop->began_ns);
	for (size_t i = 0; i < stop->count; i++)
		if (!stop->threads[i].is_stopped)
			release_one(stop, &stop->threads[i]);
	free(stop->threads);
	*stop = (struct remote_stop){0};
}

#ifdef __x86_64__

bool remote_any_thread_at(const struct remote_stop *stop, bool (*is_meant)(void *context, uint64_t place), void *context)
{
	for (size_t i = 0; i < stop->count; i++) {
		struct user_regs_struct registers;

		if (stop->threads[i].ended)
			continue;
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

/* Whether a word on the stack is an address in one of the ranges: looks from sp on, at most at STACK_MAX bytes. True also if the
 * bytes cannot be read; false if the image has no mapping at sp. */
static bool stack_leads_into(const struct remote_image *image, uint64_t sp, uint64_t (*ranges)[2], size_t count)
{
	static uint64_t words[4096];
	const struct remote_mapping *mapping = remote_image_at(image, sp);
	uint64_t at = sp & ~UINT64_C(7), end = mapping ? mapping->high : 0;

	if (end > at + STACK_MAX)
		end = at + STACK_MAX;
	while (at < end) {
		uint64_t bytes = end - at < sizeof words ? end - at : sizeof words;

		if (!remote_read(image, at, words, bytes))
			return true;
		for (uint64_t i = 0; i < bytes / sizeof *words; i++)
			if (is_in(words[i], ranges, count))
				return true;
		at += bytes;
	}
	return false;
}

bool remote_any_thread_inside(const struct remote_stop *stop, uint64_t (*ranges)[2], size_t count, bool stacks)
{
	for (size_t i = 0; i < stop->count; i++) {
		struct user_regs_struct registers;

		if (stop->threads[i].ended)
			continue;
		if (ptrace(PTRACE_GETREGS, stop->threads[i].tid, 0, &registers) < 0 || is_in(registers.rip, ranges, count) ||
			(stacks && stack_leads_into(stop->image, registers.rsp, ranges, count)))
			return true;
	}
	return false;
}

#else

bool remote_any_thread_at(const struct remote_stop *stop, bool (*is_meant)(void *context, uint64_t place), void *context)
{
	(void)stop;
	(void)is_meant;
	(void)context;
	return true;
}

bool remote_any_thread_inside(const struct remote_stop *stop, uint64_t (*ranges)[2], size_t count, bool stacks)
{
	(void)stacks;
	(void)stop;
	(void)ranges;
	(void)count;
	return true;
}

#endif
