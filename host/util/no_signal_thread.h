/* no_signal_thread: starts a thread that receives no signals. Only the thread that waits for the recorded program takes signals. */
#ifndef DWELL_HOST_UTIL_NO_SIGNAL_THREAD_H
#define DWELL_HOST_UTIL_NO_SIGNAL_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Runs run(context) in a new thread. Returns false if the thread cannot start. */
bool no_signal_thread_begin(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
