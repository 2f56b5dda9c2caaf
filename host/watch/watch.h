/* watch: a recording that is read while it is made: what record writes goes through a pipe to a reader and a model on a thread of their
 * own. Where they cannot follow, the pipe is full and record loses events, as with a slow disk; the program is not held up. */
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

/* Null and a diag when the system gives no pipe or no memory. */
struct watch *make_watch(int pipe_bytes, struct diag *diag);
void free_watch(struct watch *watch);
/* The descriptor that is to be written to. */
int watch_output(const struct watch *watch);

/* Starts the reader, and a thread that paints; signals stay with the thread that calls this. False: it cannot. */
bool watch_start(struct watch *watch, void *(*paint)(void *), void *context, pthread_t *painter);
/* The recording is over: reads to the end. */
void watch_finish(struct watch *watch);

/* Where the time went since the last time; of samples, in the last seconds (analysis/live_shares.h): the head, then the table. False:
 * nothing was recorded yet, or there is no memory, and there is no table. */
bool watch_write(struct watch *watch, struct watch_form *form, struct table_sink *sink);
/* So far. */
uint64_t watch_count_samples(struct watch *watch);

#endif
