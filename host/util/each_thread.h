/* each_thread: lists the threads of a process, from /proc. */
#ifndef DWELL_HOST_UTIL_EACH_THREAD_H
#define DWELL_HOST_UTIL_EACH_THREAD_H

#include <sys/types.h>

/* Calls visit with context and the number of each thread of the process; never if the process has ended. */
void each_thread(pid_t pid, void (*visit)(void *context, pid_t tid), void *context);

#endif
