/* threads: which thread a slot of the session belongs to, what it is called, and whether it is still there. */
#ifndef DWELL_HOST_RECORD_SESSION_THREADS_H
#define DWELL_HOST_RECORD_SESSION_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the thread exists (a zombie does not count: it will not run again). A system call; for the first thread of a process
 * some more. */
bool thread_is_alive(uint32_t pid, uint32_t tid);
/* Whether there is such a process, a zombie too. */
bool process_exists(uint32_t pid);
/* Whether a thread of it may run again. *headless: its first thread has ended, so that /proc tells little. */
bool process_is_alive(uint32_t pid, bool *headless);
/* Its name into name, zero-terminated. False, and name untouched, when it is gone. */
bool thread_read_name(uint32_t pid, uint32_t tid, char name[16]);

#endif
