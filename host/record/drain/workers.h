/* workers: threads that drain several rings at a time, so a slow ring delays no other ring. */
#ifndef DWELL_HOST_RECORD_DRAIN_WORKERS_H
#define DWELL_HOST_RECORD_DRAIN_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pack/pack.h"
#include "record/sink/address_set.h"

#define WORKERS_MAX 8
#define WORKERS_SLOTS 65536u

/* Memory for a job. Each worker thread has such memory of its own, and the thread that gives the jobs has memory, too. */
struct workers_buffers {
	struct packer *packer; /* null: nothing is packed */
	uint64_t *slots;       /* copied from a ring; room for WORKERS_SLOTS at least */
	size_t slot_capacity;
	uint64_t *sifted;      /* output of a stage whose input is in .slots (stage_reserve_slots) */
	size_t sifted_capacity;
	struct address_set places; /* functions in the chunks written so far: low words, bit 0 clear */
};

typedef void workers_run_fn(void *context, struct workers_buffers *buffers);

/* Zero the job before the first use. Leave a busy job alone. */
struct workers_job {
	workers_run_fn *run;
	void *context;
	struct workers_job *next;
	bool busy; /* given, and not done yet: use workers_is_busy */
};

struct workers;

/* Makes workers without threads: workers_submit does the job itself
 * until workers_start. pack: jobs pack slots. Null: no memory. */
struct workers *make_workers(bool pack);
/* Starts threads: one fewer than the processors that dwell may use, but 1 to 8. If the system refuses a thread, fewer; without any,
 * workers_submit still does the job itself. Call workers_start after dwell has forked the last process. */
void workers_start(struct workers *workers);
/* Waits for all given jobs, and frees the workers. */
void free_workers(struct workers *workers);

/* Gives the job to a thread, or does the job itself without threads. */
void workers_submit(struct workers *workers, struct workers_job *job);
/* Whether the job is given, and not done yet. */
bool workers_is_busy(const struct workers_job *job);
void workers_wait(struct workers *workers, struct workers_job *job);
/* The memory of the thread that gives the jobs, for its own output. */
struct workers_buffers *workers_get_buffers(struct workers *workers);
/* Adds the functions in all chunks written so far to places. pre: no job is busy. */
void workers_add_places(const struct workers *workers, struct address_set *places);

#endif
