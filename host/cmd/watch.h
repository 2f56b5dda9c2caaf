/* watch: a recording that is read while it is made: what record writes goes through a pipe to a reader and a model on a thread of their
 * own. Where they cannot follow, the pipe is full and record loses events, as with a slow disk; the program is not held up. */
#ifndef DWELL_HOST_CMD_WATCH_H
#define DWELL_HOST_CMD_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "cmd/screen.h"
#include "util/diag.h"

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

/* Shows where the time went since the last time; of samples, in the last seconds (analysis/live_shares.h), and by is nothing to them.
 * False: nothing was recorded yet, and nothing is shown. */
bool watch_paint(struct watch *watch, struct screen *screen, enum by by, uint64_t limit);
/* So far. */
uint64_t watch_count_samples(struct watch *watch);

/* CLOCK_MONOTONIC. */
uint64_t watch_now_ns(void);
/* Or until *over. */
void watch_sleep_until(uint64_t ns, const volatile bool *over);

#endif
