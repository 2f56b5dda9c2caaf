#include "query/calls_thread.h"

#include <pthread.h>
#include <stdlib.h>

#define BATCH_CALLS 1024u
#define BATCHES 4u

struct batch {
	struct call calls[BATCH_CALLS];
	struct call_values values[BATCH_CALLS]; /* of those that have any */
	uint32_t count;
};

struct calls_thread {
	struct calls *calls;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t filled, written; /* batches */
	bool ends;
	struct batch batches[BATCHES]; /* [written … filled) are the thread's, the next one is being filled */
};

static void *work(void *context)
{
	struct calls_thread *thread = context;

	pthread_mutex_lock(&thread->lock);
	for (;;) {
		while (thread->written == thread->filled && !thread->ends)
			pthread_cond_wait(&thread->changed, &thread->lock);
		if (thread->written == thread->filled)
			break;
		struct batch *batch = &thread->batches[thread->written % BATCHES];

		pthread_mutex_unlock(&thread->lock);
		for (uint32_t i = 0; i < batch->count; i++)
			calls_write(thread->calls, &batch->calls[i]);
		batch->count = 0;
		pthread_mutex_lock(&thread->lock);
		thread->written++;
		pthread_cond_signal(&thread->changed);
	}
	pthread_mutex_unlock(&thread->lock);
	return NULL;
}

struct calls_thread *make_calls_thread(struct calls *calls)
{
	struct calls_thread *thread = calloc(1, sizeof *thread);

	if (!thread)
		return NULL;
	thread->calls = calls;
	pthread_mutex_init(&thread->lock, NULL);
	pthread_cond_init(&thread->changed, NULL);
	if (!pthread_create(&thread->thread, NULL, work, thread))
		return thread;
	pthread_cond_destroy(&thread->changed);
	pthread_mutex_destroy(&thread->lock);
	free(thread);
	return NULL;
}

/* Hands over what was filled, and waits for room for more. */
static void hand_over(struct calls_thread *thread)
{
	pthread_mutex_lock(&thread->lock);
	thread->filled++;
	pthread_cond_signal(&thread->changed);
	while (thread->filled - thread->written == BATCHES)
		pthread_cond_wait(&thread->changed, &thread->lock);
	pthread_mutex_unlock(&thread->lock);
}

void calls_thread_write(struct calls_thread *thread, const struct call *call)
{
	struct batch *batch = &thread->batches[thread->filled % BATCHES];

	batch->calls[batch->count] = *call;
	if (call->values) {
		batch->values[batch->count] = *call->values;
		batch->calls[batch->count].values = &batch->values[batch->count];
	}
	batch->count++;
	if (batch->count == BATCH_CALLS)
		hand_over(thread);
}

void free_calls_thread(struct calls_thread *thread)
{
	if (!thread)
		return;
	hand_over(thread);
	pthread_mutex_lock(&thread->lock);
	thread->ends = true;
	pthread_cond_signal(&thread->changed);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->thread, NULL);
	pthread_cond_destroy(&thread->changed);
	pthread_mutex_destroy(&thread->lock);
	free(thread);
}
