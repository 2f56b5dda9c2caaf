/* quiet_thread: a thread without signals; only the thread that waits for the program receives signals. */
#ifndef DWELL_HOST_UTIL_QUIET_THREAD_H
#define DWELL_HOST_UTIL_QUIET_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Runs run(context) in a new thread. Returns false if the thread cannot start. */
bool quiet_thread_begin(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
