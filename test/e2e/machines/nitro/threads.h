/* Three threads, of Linux or of the test's kernel. */
#ifndef THREADS_H
#define THREADS_H

#include <nitro.h>

#ifdef __linux__
#include <pthread.h>

static pthread_t threads[3];
static int thread_count;

static void *run_thread(void *function)
{
	(*(void (**)(void))function)();
	return 0;
}

static inline void threads_begin(void)
{
}

static inline void thread_start(void (**function)(void))
{
	pthread_create(&threads[thread_count++], 0, run_thread, function);
}

static inline void threads_wait(void)
{
	while (thread_count)
		pthread_join(threads[--thread_count], 0);
}
#else
#include "kernel.h"

static inline void threads_begin(void)
{
	kernel_begin();
}

static inline void thread_start(void (**function)(void))
{
	kernel_start(*function);
}

static inline void threads_wait(void)
{
	kernel_wait_for_all();
}
#endif
#endif
