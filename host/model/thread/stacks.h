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

struct thread;

/* Frees all but the thread's own. */
void stacks_clear(struct thread *thread);

#endif
