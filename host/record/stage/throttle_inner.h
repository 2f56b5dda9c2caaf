/* throttle_inner: what throttle.c and throttle_thread.c know of a throttle. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_INNER_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_INNER_H

#include <pthread.h>

#include "record/stage/judge.h"
#include "record/stage/sieve.h"
#include "record/stage/throttle_list.h"

#define THROTTLE_EXITS_MAX 64u /* that wait to be passed on */

struct throttle_process {
	uint32_t number;
	uint32_t settled; /* of its functions, from the first on: asked for, or over */
	struct throttle_list list;
	struct throttle_stream *streams;
	struct judge *judge;   /* under the lock; null: nobody recorded */
	struct throttle_process *next_live;
	bool is_live; /* it has streams, or had some when it was told last */
};

struct throttle_stream {
	struct sieve sieve;
	struct throttle *throttle;
	struct throttle_process *process;
	struct dwell_ring *ring; /* the program's: not trusted */
	struct throttle_stream *next; /* of its process */
	uint64_t last_ticks; /* so far it was written. Atomic */
	uint32_t exit_count, choosing; /* choosing: entries of the process that may still wait here */
	uint64_t exits[THROTTLE_EXITS_MAX]; /* of calls that end where their function ends to be recorded, for what comes next */
	bool is_dropping;
	uint8_t drops[THROTTLE_LIST_MAX];    /* from now on. Atomic */
	uint64_t dropped[THROTTLE_LIST_MAX]; /* enters. Atomic */
	uint64_t cut[THROTTLE_LIST_MAX];     /* atomic */
};

struct throttle {
	struct stage stage;
	struct session *session;
	struct dwell_throttle *shared;
	char name[32];
	int fd;
	double share;
	struct throttle_process **processes; /* all that ever were, by their numbers */
	size_t process_count, process_capacity;
	struct throttle_process *live;
	pthread_mutex_t lock; /* of the judges and of what they go by */
	struct judge_cost cost; /* 0: not known yet. Under the lock */
	uint32_t judges;        /* under the lock */
	uint32_t asked;
	uint64_t next_ns, tell_ns;
};

/* See stage.h. */
void throttle_take(struct stage_thread *thread, struct stage_run *run, const struct follower *open);

#endif
