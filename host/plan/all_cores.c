/* all_cores: gives pieces of the work to threads (all_cores.h). */
#include "plan/all_cores.h"

#include <pthread.h>

#include "util/no_signal_thread.h"
#include "util/processors.h"

#define PIECE_ITEMS 256u
#define THREADS_MAX 16u

struct shared_work {
	all_cores_fn *work;
	void *context;
	size_t count;
	size_t next; /* the first item that no thread has begun; atomic */
	bool has_failed; /* atomic */
};

static void *take_pieces(void *context)
{
	struct shared_work *shared = context;
	size_t first;

	while (!__atomic_load_n(&shared->has_failed, __ATOMIC_RELAXED) &&
		(first = __atomic_fetch_add(&shared->next, PIECE_ITEMS, __ATOMIC_RELAXED)) < shared->count)
		if (!shared->work(shared->context, first,
			    shared->count - first < PIECE_ITEMS ? shared->count : first + PIECE_ITEMS))
			__atomic_store_n(&shared->has_failed, true, __ATOMIC_RELAXED);
	return NULL;
}

bool all_cores_run(all_cores_fn *work, void *context, size_t count)
{
	struct shared_work shared = {.work = work, .context = context, .count = count};
	size_t wanted = processors_allowed(), begun = 0;
	pthread_t threads[THREADS_MAX];

	if (wanted > (count + PIECE_ITEMS - 1) / PIECE_ITEMS)
		wanted = (count + PIECE_ITEMS - 1) / PIECE_ITEMS;
	/* This thread takes pieces, too. Without a further thread it takes all. */
	while (begun + 1 < wanted && begun < THREADS_MAX && no_signal_thread_begin(&threads[begun], take_pieces, &shared))
		begun++;
	take_pieces(&shared);
	while (begun)
		pthread_join(threads[--begun], NULL);
	return !shared.has_failed;
}
