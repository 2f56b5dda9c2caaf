/* watch: for dwell top: a recording that is read while it is made. The recorder writes to a pipe, and a separate thread reads the
 * pipe into a model. If that thread is too slow, the pipe is full and the recorder loses events, as with a slow disk; the program
 * is not delayed. */
#ifndef DWELL_HOST_WATCH_WATCH_H
#define DWELL_HOST_WATCH_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"
#include "watch/watch_form.h"

struct watch;

/* pipe_bytes: the wanted size of the pipe. Null with a diag: the system gives no pipe or no memory. */
struct watch *make_watch(int pipe_bytes, struct diag *diag);
void free_watch(struct watch *watch);
/* The pipe's end to which the recorder writes. watch_finish closes it. */
int watch_output(const struct watch *watch);

/* Starts the reading thread, and a thread *painter that runs paint(context); the caller joins the painter. Signals stay with the
 * calling thread. False: a thread could not be started. */
bool watch_start(struct watch *watch, void *(*paint)(void *), void *context, pthread_t *painter);
/* Call it when the recording is over: closes the pipe's writing end, and waits until the thread has read the rest. */
void watch_finish(struct watch *watch);

/* Writes where the time went since the last table, or for samples in the last seconds (analysis/live_shares.h): the head, then the
 * table. False: there is no data yet, or memory ran out; no table was written. */
bool watch_write(struct watch *watch, struct watch_form *form, struct table_sink *sink);
/* The number of samples so far; 0 if calls are recorded. */
uint64_t watch_count_samples(struct watch *watch);

#endif
