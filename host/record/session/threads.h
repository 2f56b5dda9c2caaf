/* threads: whether a thread of the session still runs, and its name. A process number with
 * DWELL_TASK_INNER (tasks.h) cannot be checked: thread_is_alive and process_exists return true. */
#ifndef DWELL_HOST_RECORD_SESSION_THREADS_H
#define DWELL_HOST_RECORD_SESSION_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the thread can still run (a zombie cannot). Costs a system
 * call, and a read of /proc for the first thread of a process. */
bool thread_is_alive(uint32_t pid, uint32_t tid);
/* Whether the process exists; a zombie counts. */
bool process_exists(uint32_t pid);

struct process_life {
	bool alive;           /* a thread of the process may still run */
	bool headless;        /* the first thread has ended and other threads have not, so /proc/PID shows little */
	uint64_t start_ticks; /* when the process started: kernel clock ticks since boot */
};
struct process_life process_read_life(uint32_t pid);

/* Copies the thread's name into name, zero-terminated. False, and name unchanged: the thread has ended. */
bool thread_read_name(uint32_t pid, uint32_t tid, char name[16]);

#endif
