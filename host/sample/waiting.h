/* waiting: whether all threads of some processes wait for something other than a processor, as /proc says; asked often.
 *
 * Who was ready the last time is asked first. Where all waited, they are asked again by their numbers, and whether there are others now
 * the CPU time says: what the system has counted for a process whose threads all wait is exact. While one of them runs it is not: it
 * grows when the thread leaves its processor, or in the kernel's tick, 250 times a second, and a program that works for less than that
 * between two waits would seem to wait on. Of many threads that have not run for some looks only that count is asked: what wakes them is
 * seen when it has been counted. */
#ifndef DWELL_HOST_SAMPLE_WAITING_H
#define DWELL_HOST_SAMPLE_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAITING_PROCESSES_MAX 16u
#define WAITING_THREADS_MAX 64u /* of a process */

struct waiting_thread {
	uint32_t pid, tid;
};

/* Zero it before the first use. */
struct waiting {
	struct waiting_thread ready; /* had a processor, or wanted one; tid 0: nobody */
	bool all;         /* all waited … */
	uint64_t cpu_ns;  /* … and so much CPU time they had used */
	uint32_t looks;   /* at them since then */
	struct waiting_thread threads[WAITING_PROCESSES_MAX * WAITING_THREADS_MAX]; /* who they are */
	size_t count;
};

/* False, too, when none lives. pids: an array of count; of many only the first ones are asked. */
bool waiting_all(struct waiting *waiting, const uint32_t *pids, size_t count);

/* Those that do not wait, as many as there is room for: returns their number. wait: there are others, which do. */
size_t waiting_find_ready(const uint32_t *pids, size_t count, struct waiting_thread *ready, size_t max, bool *wait);

#endif
