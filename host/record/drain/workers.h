/* workers: threads that drain rings, several at a time, so that a ring that takes long holds up no other. */
#ifndef DWELL_HOST_RECORD_DRAIN_WORKERS_H
#define DWELL_HOST_RECORD_DRAIN_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pack/pack.h"
#include "record/sink/address_set.h"

#define WORKERS_MAX 8
#define WORKERS_SLOTS 65536u

/* What a job works with; each thread has its own. */
struct workers_desk {
	struct packer *packer; /* null: nothing is packed */
	uint64_t *slots;       /* copied from a ring; room for WORKERS_SLOTS at least */
	size_t slot_capacity;
	uint64_t *sifted;      /* the same, while it is sieved */
	size_t sifted_capacity;
	struct address_set places; /* of what it has written: low words, bit 0 clear */
};

typedef void workers_run_fn(void *context, struct workers_desk *desk);

/* Zero it before the first use. Not to be touched while busy. */
struct workers_job {
	workers_run_fn *run;
	void *context;
	struct workers_job *next;
	bool busy; /* given, and not done yet: ask workers_is_busy */
};

struct workers;

/* Without threads yet: whoever gives a job does it. pack: desks have a packer. Null: no memory. */
struct workers *make_workers(bool pack);
/* One thread less than there are processors, and one at least, or as many as can be made. When no process will be made by fork any more. */
void workers_start(struct workers *workers);
/* Waits for what was given. */
void free_workers(struct workers *workers);

/* The job is done by some thread, sooner or later. */
void workers_give(struct workers *workers, struct workers_job *job);
bool workers_is_busy(const struct workers_job *job);
void workers_wait(struct workers *workers, struct workers_job *job);
/* The caller's own desk, for what he writes himself. */
struct workers_desk *workers_get_desk(struct workers *workers);
/* The places of all desks. pre: no job is busy. */
void workers_add_places(const struct workers *workers, struct address_set *places);

#endif
