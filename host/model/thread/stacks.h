/* stacks: a thread with several stacks, as coroutines have them. For model.c.
 *
 * Each stack is a thread to itself, with calls, paths and pairing of its own, for which recording is off while another one runs. What is
 * said of the thread is said of all of them together: while stacks are kept apart,
 *
 *     Σ self + (Σ lost − told twice) + (Σ outside − suspended)  =  last − first
 *
 * where suspended is the time that stacks waited for another one, as it was seen, and told twice the time in gaps that a checkpoint let
 * more than one stack account for. A thread with one stack is what it is without all this. */
#ifndef DWELL_HOST_MODEL_THREAD_STACKS_H
#define DWELL_HOST_MODEL_THREAD_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread;

/* More than that at a time, and those that waited longest are given up: calls that are open there end. */
#define STACKS_MAX 65536u

/* Zeroed: one stack. */
struct stacks {
	struct thread **list; /* all but the thread's own, by number */
	size_t count, capacity;
	struct thread *current; /* null: its own */
	uint32_t number, next;  /* of the current one, and of the one that runs from the next event with a time of its own on … */
	bool waits;             /* … unless there is none */
	bool begins;            /* a checkpoint was taken in, at begin_ticks, and no time was told since: STACK says which one runs */
	uint64_t begin_ticks;
	uint64_t claimed_ticks; /* before that, which are not the own stack's when another one runs */
	uint64_t suspended_ticks, told_twice_ticks;
	struct thread *given_up; /* its row: what those did that were given up … */
	uint64_t given_up_ticks; /* … and how long they were there */
};

/* Frees all but the thread's own. */
void stacks_clear(struct thread *thread);

#endif
