/* perf_fetcher: runs a thread that calls a function at intervals. */
#include "sample/perf/perf_fetcher.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "util/clock.h"
#include "util/priority.h"
#include "util/no_signal_thread.h"

struct perf_fetcher {
	void (*fetch)(void *context);
	void *context;
	uint64_t pause_ns;
	pthread_t thread;
	pthread_mutex_t lock; /* protects is_over */
	pthread_cond_t ends;
	bool is_over;
};

/* The thread: calls fetch after each pause, and once more at the end. */
static void *run_fetcher(void *argument)
{
	struct perf_fetcher *fetcher = argument;

	priority_raise(20);
	pthread_mutex_lock(&fetcher->lock);
	while (!fetcher->is_over) {
		uint64_t next_ns = clock_now_ns() + fetcher->pause_ns;
		const struct timespec next = {(time_t)(next_ns / 1000000000), (long)(next_ns % 1000000000)};

		pthread_cond_timedwait(&fetcher->ends, &fetcher->lock, &next);
		fetcher->fetch(fetcher->context);
	}
	pthread_mutex_unlock(&fetcher->lock);
	return NULL;
}

struct perf_fetcher *make_perf_fetcher(void (*fetch)(void *context), void *context, uint64_t pause_ns)
{
	struct perf_fetcher *fetcher = calloc(1, sizeof *fetcher);
	pthread_condattr_t attributes;

	if (!fetcher)
		return NULL;
	*fetcher = (struct perf_fetcher){.fetch = fetch, .context = context, .pause_ns = pause_ns};
	pthread_mutex_init(&fetcher->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&fetcher->ends, &attributes);
	pthread_condattr_destroy(&attributes);
	if (no_signal_thread_begin(&fetcher->thread, run_fetcher, fetcher))
		return fetcher;
	free(fetcher);
	return NULL;
}

void free_perf_fetcher(struct perf_fetcher *fetcher)
{
	if (!fetcher)
		return;
	pthread_mutex_lock(&fetcher->lock);
	fetcher->is_over = true;
	pthread_cond_signal(&fetcher->ends);
	pthread_mutex_unlock(&fetcher->lock);
	pthread_join(fetcher->thread, NULL);
	free(fetcher);
}
