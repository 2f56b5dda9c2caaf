/* throttle_inner: the fields of a throttle, for throttle.c, throttle_thread.c and throttle_write.c. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_INNER_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_INNER_H

#include <pthread.h>

#include "record/stage/judge.h"
#include "record/stage/sieve.h"
#include "record/stage/throttle_list.h"

#define THROTTLE_EXITS_MAX 64u /* exits that wait to be passed on */

struct throttle_process {
	uint32_t number;
	uint32_t settled; /* functions of the list before this index need no further request to stop recording them */
	struct throttle_list list;
	struct throttle_stream *streams;
	struct judge *judge;   /* under the lock; null: no live thread has recorded slots yet, or too many processes have a judge */
	struct throttle_process *next_live;
	bool has_resumed; /* a function of the process is recorded again. Atomic */
	bool is_live; /* the process has streams, or had some when the file was written last */
};

struct throttle_stream {
	struct sieve sieve;
	struct throttle *throttle;
	struct throttle_process *process;
	struct dwell_ring *ring; /* the program's: not trusted */
	struct throttle_stream *next; /* the next stream of the process */
	uint64_t last_ticks; /* time of the last event passed on before the present batch. Atomic */
	uint32_t exit_count;
	/* The stream drops all functions of the list before this index. Of the functions from there on, the stream drops those
	 * with drops set; the others wait until the stream can end all their open calls. */
	uint32_t first_waiting;
	uint64_t exits[THROTTLE_EXITS_MAX]; /* exits of calls that the stage has ended, to write in front of the next slots */
	/* All slots go through the sieve: from the stream's start if the list has functions then, else from the first moment at
	 * which the stage can choose functions to drop. */
	bool is_dropping;
	uint8_t drops[THROTTLE_LIST_MAX];    /* 1: the stage drops the function's calls. Atomic */
	uint64_t dropped[THROTTLE_LIST_MAX]; /* enters dropped. Atomic */
	uint64_t cut[THROTTLE_LIST_MAX];     /* calls of the function that the stage has ended early. Atomic */
	/* In a trial the agent records the function for a while, to measure its calls (throttle_list.h). trial_count: the last
	 * trial that the stream saw, from 1 on; 0: none. open: number of open calls of the function; counts only entries recorded
	 * since that trial began (no trial: since the stream drops the function), and since the last unwind. */
	uint32_t open[THROTTLE_LIST_MAX], trial_count[THROTTLE_LIST_MAX];
	bool passes[THROTTLE_LIST_MAX]; /* the function is recorded again, and no dropped call is open any more */
};

struct throttle {
	struct stage stage;
	struct session *session;
	struct dwell_throttle *shared; /* memory that all agents read: entries say which functions to record */
	char name[32];
	int fd;
	double share; /* part of the threads' time in a period, 0 to 1, that recording a function may take */
	uint64_t (*read_ticks)(void); /* reads the clock of recordings */
	struct throttle_process **processes; /* all processes so far with a recorded thread or a file with hooks, by number */
	size_t process_count, process_capacity;
	struct throttle_process *live; /* the first process with is_live; next_live leads to the next */
	pthread_mutex_t lock; /* for the judges and their costs */
	struct judge_cost cost; /* of recording a call; 0: unknown yet. Under the lock */
	uint32_t judges;        /* number of processes with a judge. Under the lock */
	uint32_t request_count;         /* number of requests to the agents so far: entries of shared in use */
	uint64_t next_ns, write_due_ns; /* when the next period begins; when throttle_write writes next */
};

/* The state of an entry for agents (enum dwell_throttle_state). entry: its number, from 1 on. */
static inline uint32_t throttle_entry_state(const struct throttle *throttle, uint32_t entry)
{
	return __atomic_load_n(&throttle->shared->entries[entry - 1].state, __ATOMIC_ACQUIRE);
}

/* The number of unrecorded calls of a function in a stream. index: of the function in its process's list. */
static inline uint64_t throttle_count_calls(const struct throttle_stream *stream, uint32_t index)
{
	return *dwell_throttle_counter(stream->ring, DWELL_THROTTLE_FIRST + index) +
	       __atomic_load_n(&stream->dropped[index], __ATOMIC_RELAXED);
}

/* Writes the throttled functions with the numbers of their calls so far: once per second the functions with new figures, and all
 * functions if final is set. */
void throttle_write(struct throttle *throttle, struct trace_writer *writer, uint64_t now_ns, bool final);

/* See stage.h. */
void throttle_take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open);

#endif
