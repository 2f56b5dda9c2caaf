/* workers: runs jobs from one queue, on threads that wait for jobs. */
#include "record/drain/workers.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/no_signal_thread.h"
#include "util/processors.h"

struct worker {
	struct workers *workers;
	struct workers_buffers buffers;
	pthread_t thread;
};

struct workers {
	struct worker worker[WORKERS_MAX];
	uint32_t count;          /* of threads */
	struct workers_buffers own; /* for jobs without a thread, and for the caller (workers_get_buffers) */
	bool pack;
	pthread_mutex_t lock;
	pthread_cond_t more, done;
	struct workers_job *first, **last;
	bool is_stopping;
};

/* The atomic store makes the job's results visible to any thread that finds the job not busy. */
static void do_job(struct workers_job *job, struct workers_buffers *buffers)
{
	job->run(job->context, buffers);
	__atomic_store_n(&job->busy, false, __ATOMIC_RELEASE);
}

/* The main function of a worker thread: does jobs until free_workers, and until no job is left. */
static void *run(void *context)
{
	struct worker *worker = context;
	struct workers *workers = worker->workers;
	struct workers_job *job;

	pthread_mutex_lock(&workers->lock);
	for (;;) {
		while (!workers->first && !workers->is_stopping)
			pthread_cond_wait(&workers->more, &workers->lock);
		job = workers->first;
		if (!job)
			break;
		workers->first = job->next;
		if (!workers->first)
			workers->last = &workers->first;
		pthread_mutex_unlock(&workers->lock);
		do_job(job, &worker->buffers);
		pthread_mutex_lock(&workers->lock);
		pthread_cond_broadcast(&workers->done);
	}
	pthread_mutex_unlock(&workers->lock);
	return NULL;
}

static void clear_buffers(struct workers_buffers *buffers)
{
	free_packer(buffers->packer);
	free(buffers->slots);
	free(buffers->sifted);
	address_set_clear(&buffers->places);
}

static bool make_buffers(struct workers_buffers *buffers, bool pack)
{
	*buffers = (struct workers_buffers){.packer = pack ? make_packer() : NULL};
	if ((buffers->packer || !pack) &&
		array_reserve(&buffers->slots, &buffers->slot_capacity, WORKERS_SLOTS, sizeof *buffers->slots))
		return true;
	clear_buffers(buffers);
	return false;
}

void workers_start(struct workers *workers)
{
	uint32_t wanted = processors_allowed();

	wanted = wanted > WORKERS_MAX ? WORKERS_MAX : wanted > 1 ? wanted - 1 : 1;
	for (; workers->count < wanted; workers->count++) {
		struct worker *worker = &workers->worker[workers->count];

		worker->workers = workers;
		if (!make_buffers(&worker->buffers, workers->pack))
			break;
		if (!no_signal_thread_begin(&worker->thread, run, worker)) {
			clear_buffers(&worker->buffers);
			break;
		}
	}
}

struct workers *make_workers(bool pack)
{
	struct workers *workers = calloc(1, sizeof *workers);

	if (!workers)
		return NULL;
	workers->last = &workers->first;
	pthread_mutex_init(&workers->lock, NULL);
	pthread_cond_init(&workers->more, NULL);
	pthread_cond_init(&workers->done, NULL);
	workers->pack = pack;
	if (make_buffers(&workers->own, pack))
		return workers;
	workers->own = (struct workers_buffers){0};
	free_workers(workers);
	return NULL;
}

void free_workers(struct workers *workers)
{
	if (!workers)
		return;
	pthread_mutex_lock(&workers->lock);
	workers->is_stopping = true;
	pthread_cond_broadcast(&workers->more);
	pthread_mutex_unlock(&workers->lock);
	for (uint32_t i = 0; i < workers->count; i++) {
		pthread_join(workers->worker[i].thread, NULL);
		clear_buffers(&workers->worker[i].buffers);
	}
	clear_buffers(&workers->own);
	pthread_mutex_destroy(&workers->lock);
	pthread_cond_destroy(&workers->more);
	pthread_cond_destroy(&workers->done);
	free(workers);
}

void workers_submit(struct workers *workers, struct workers_job *job)
{
	job->busy = true;
	if (!workers->count) {
		do_job(job, &workers->own);
		return;
	}
	pthread_mutex_lock(&workers->lock);
	job->next = NULL;
	*workers->last = job;
	workers->last = &job->next;
	pthread_cond_signal(&workers->more);
	pthread_mutex_unlock(&workers->lock);
}

bool workers_is_busy(const struct workers_job *job)
{
	return __atomic_load_n(&job->busy, __ATOMIC_ACQUIRE);
}

void workers_wait(struct workers *workers, struct workers_job *job)
{
	pthread_mutex_lock(&workers->lock);
	while (workers_is_busy(job))
		pthread_cond_wait(&workers->done, &workers->lock);
	pthread_mutex_unlock(&workers->lock);
}

void workers_add_places(const struct workers *workers, struct address_set *places)
{
	address_set_add_all(places, &workers->own.places);
	for (uint32_t i = 0; i < workers->count; i++)
		address_set_add_all(places, &workers->worker[i].buffers.places);
}

struct workers_buffers *workers_get_buffers(struct workers *workers)
{
	return &workers->own;
}
